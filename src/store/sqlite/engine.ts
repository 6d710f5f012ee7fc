import type { DatabaseSync } from 'node:sqlite';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { ownValue } from '../../system/ownValue.ts';
import { type EngineOperation, OPERATION_KINDS } from '../operationsOver.ts';
import type { OperationName } from '../outcomes.ts';
import type { Unavailable } from '../unavailable.ts';
import { closed, moved, unavailableBecause } from './failures.ts';
import { openedFile } from './openedFile.ts';
import { movedTo } from './operations/move.ts';
import * as operations from './operations.ts';
import { type Operation, openTables, type TableChances, type Tables } from './tables.ts';

interface EngineRequest {
  readonly operation: EngineOperation;
  readonly request: object;
  /** Of a request that may arrive twice: by way of another process, and at the file. */
  readonly key?: string | undefined;
}

/** Runs operations on an open database. External failures are outcomes; anything else is thrown. */
export interface Engine {
  readonly path: string;
  readonly database: DatabaseSync;
  readonly tables: Tables;
  perform(operation: EngineOperation, request: object, key?: string): object;
  /** In one transaction: a failing request does not undo the others. Bugs are returned as `Error`s in their place. */
  performTogether(requests: readonly EngineRequest[]): (object | Error)[];
  /** Called after each commit that may have changed something. */
  onCommit(listener: () => void): void;
  close(): void;
}

type Operations = { readonly [Name in Exclude<OperationName, 'about'>]: Operation<Name> };

/** Each runs inside a transaction; a write has its lock from the start. */
const OPERATIONS: Operations & Record<EngineOperation, (tables: Tables, request: never) => object> = { ...operations };

/** A move works, and can be cancelled, after the tasks have moved. */
const KINDS: Readonly<Record<string, 'read' | 'write' | 'move'>> = {
  ...OPERATION_KINDS,
  probe: 'read',
  startMove: 'move',
  cancelMove: 'move',
};

const isWriting = ({ operation }: Pick<EngineRequest, 'operation'>) => ownValue(KINDS, operation) !== 'read';

export function createEngine(database: DatabaseSync, path: string, chances: TableChances): Engine {
  const tables = openTables(database, chances);
  const listeners: (() => void)[] = [];
  const whyElsewhere = openedFile(path);

  const run = ({ operation, request, key }: EngineRequest, writing: boolean): object => {
    tables.startTransactionTime(writing);
    const kind = ownValue(KINDS, operation);
    if (!kind) throw new Error(`Unknown operation ${operation}`);
    const to = kind === 'write' ? movedTo(tables) : null;
    if (to !== null) return moved(path, to);
    const act = () => OPERATIONS[operation](tables, request as never);
    return key === undefined ? act() : onlyOnce(tables, key, act);
  };

  /** IMMEDIATE: a lock requested only at the first write is refused if another process wrote in between. */
  const inTransaction = <Result>(writing: boolean, work: () => Result): Result | Unavailable => {
    try {
      tables.run(writing ? 'BEGIN IMMEDIATE' : 'BEGIN');
      const result = work();
      tables.run('COMMIT');
      // looked at after the commit: what is acknowledged was at the path then
      const elsewhere = whyElsewhere();
      if (elsewhere) return elsewhere;
      if (writing) for (const listener of listeners) listener();
      return result;
    } catch (error) {
      if (database.isOpen && database.isTransaction) tables.run('ROLLBACK');
      const unavailable = database.isOpen ? unavailableBecause(error, path) : closed(path);
      if (unavailable) return unavailable;
      throw error;
    }
  };

  const runApart = (one: EngineRequest, writing: boolean): object | Error => {
    tables.run('SAVEPOINT one');
    try {
      const outcome = run(one, writing);
      tables.run('RELEASE one');
      return outcome;
    } catch (error) {
      // a full disk ends the whole transaction, and with it the savepoint
      if (!database.isTransaction) throw error;
      tables.run('ROLLBACK TO one');
      tables.run('RELEASE one');
      return unavailableBecause(error, path) ?? (error instanceof Error ? error : new Error(String(error)));
    }
  };

  return {
    path,
    database,
    tables,
    perform: (operation, request, key) => {
      const writing = isWriting({ operation });
      return inTransaction(writing, () => run({ operation, request, key }, writing));
    },
    performTogether: (requests) => {
      const writing = requests.some(isWriting);
      const outcomes = inTransaction(writing, () => requests.map((one) => runApart(one, writing)));
      return Array.isArray(outcomes) ? outcomes : requests.map(() => outcomes);
    },
    onCommit: (listener) => void listeners.push(listener),
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

/** A stopped process may carry out what it was sent as long as this after its client did it itself. */
const KEPT_MS = 24 * 3_600_000;

const ANSWER = 'SELECT outcome FROM answers WHERE key = ?';
const KEEP = 'INSERT INTO answers VALUES (?, ?, ?)';
const FORGET = 'DELETE FROM answers WHERE at < ?';

/** Of two requests with one key, the second gets the answer of the first. Inside its caller's transaction. */
function onlyOnce(tables: Tables, key: string, act: () => object): object {
  const before = jsonValue(tables.get<{ outcome: string }>(ANSWER, key)?.outcome ?? '');
  if (typeof before === 'object' && before !== null) return before;
  const outcome = act();
  tables.run(FORGET, tables.now - KEPT_MS);
  tables.run(KEEP, key, tables.now, JSON.stringify(outcome));
  return outcome;
}
