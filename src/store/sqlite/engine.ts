import type { DatabaseSync } from 'node:sqlite';
import { ownValue } from '../../system/ownValue.ts';
import type { OperationName } from '../operationsOver.ts';
import type { Unavailable } from '../unavailable.ts';
import { closed, moved, unavailableBecause } from './failures.ts';
import { movedTo } from './operations/move.ts';
import { MOVES, READS, WRITES } from './operations.ts';
import { openTables, type TableChances, type Tables } from './tables.ts';

/** The operations of a store, and those that only stores use. */
export type EngineOperation = OperationName | 'probe' | 'startMove' | 'cancelMove';

interface EngineRequest {
  readonly operation: EngineOperation;
  readonly request: object;
}

/** Runs operations on an open database. External failures are outcomes; anything else is thrown. */
export interface Engine {
  readonly path: string;
  readonly database: DatabaseSync;
  readonly tables: Tables;
  perform(operation: EngineOperation, request: object): object;
  /** In one transaction: a failing request does not undo the others. Bugs are returned as `Error`s in their place. */
  performTogether(requests: readonly EngineRequest[]): (object | Error)[];
  /** Called after each commit that may have changed something. */
  onCommit(listener: () => void): void;
  close(): void;
}

type Run = (tables: Tables, request: never) => object;

const reads: Readonly<Record<string, Run>> = READS;
const writes: Readonly<Record<string, Run>> = WRITES;
const moves: Readonly<Record<string, Run>> = MOVES;

export function createEngine(database: DatabaseSync, path: string, chances: TableChances): Engine {
  const tables = openTables(database, chances);
  const listeners: (() => void)[] = [];

  const run = (operation: EngineOperation, request: object, writing: boolean): object => {
    tables.startTransactionTime(writing);
    const read = ownValue(reads, operation) ?? ownValue(moves, operation);
    if (read) return read(tables, request as never);
    const to = movedTo(tables);
    if (to !== null) return moved(path, to);
    const write = ownValue(writes, operation);
    if (!write) throw new Error(`Unknown operation ${operation}`);
    return write(tables, request as never);
  };

  /** IMMEDIATE: a lock requested only at the first write is refused if another process wrote in between. */
  const inTransaction = <Result>(writing: boolean, work: () => Result): Result | Unavailable => {
    try {
      tables.run(writing ? 'BEGIN IMMEDIATE' : 'BEGIN');
      const result = work();
      tables.run('COMMIT');
      if (writing) for (const listener of listeners) listener();
      return result;
    } catch (error) {
      if (database.isOpen && database.isTransaction) tables.run('ROLLBACK');
      const unavailable = database.isOpen ? unavailableBecause(error, path) : closed(path);
      if (unavailable) return unavailable;
      throw error;
    }
  };

  const runApart = ({ operation, request }: EngineRequest, writing: boolean): object | Error => {
    tables.run('SAVEPOINT one');
    try {
      const outcome = run(operation, request, writing);
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
    perform: (operation, request) => {
      const writing = !Object.hasOwn(reads, operation);
      return inTransaction(writing, () => run(operation, request, writing));
    },
    performTogether: (requests) => {
      const writing = requests.some(({ operation }) => !Object.hasOwn(reads, operation));
      const outcomes = inTransaction(writing, () => requests.map((one) => runApart(one, writing)));
      return Array.isArray(outcomes) ? outcomes : requests.map(() => outcomes);
    },
    onCommit: (listener) => void listeners.push(listener),
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}
