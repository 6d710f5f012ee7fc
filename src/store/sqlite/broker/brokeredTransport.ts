import { randomUUID } from 'node:crypto';
import { ownValue } from '../../../system/ownValue.ts';
import { OPERATION_KINDS } from '../../operationsOver.ts';
import type { OperationName } from '../../outcomes.ts';
import { StoreUnavailableError, type Unavailable } from '../../unavailable.ts';
import { closed as closedOutcome } from '../failures.ts';
import type { SqliteTransport } from '../transport.ts';
import type { BrokerFinder } from './findBroker.ts';

export interface BrokeredFile {
  readonly path: string;
  readonly openDirect: () => SqliteTransport | Unavailable;
  /** If it is already open. */
  readonly direct?: SqliteTransport;
  readonly broker: BrokerFinder;
}

/** Not served to others: any process that reaches the socket could move all tasks away. */
const AT_THE_FILE_ONLY: ReadonlySet<string> = new Set(['startMove', 'cancelMove']);

/**
 * Uses the process that serves the database while there is one, else the file itself. If that process goes away in the middle,
 * the request is repeated at the file. It may have been carried out, or will be when a stopped process goes on: a key lets it have one
 * effect.
 */
export function brokeredTransport({ path, openDirect, direct, broker }: BrokeredFile): SqliteTransport {
  let isClosed = false;
  let open = direct;

  const findDirect = (): SqliteTransport | Unavailable => {
    if (isClosed) return closedOutcome(path);
    if (open) return open;
    const opened = openDirect();
    if (!('type' in opened)) open = opened;
    return opened;
  };
  const atTheFile = (...call: Parameters<SqliteTransport['perform']>): object | Promise<object> => {
    const file = findDirect();
    return 'type' in file ? file : file.perform(...call);
  };
  return {
    path,
    perform: async (operation, request) => {
      const through = isClosed || AT_THE_FILE_ONLY.has(operation) ? undefined : await broker.now();
      if (!through) return atTheFile(operation, request);
      const key = isRepeatable(operation) ? undefined : randomUUID();
      try {
        return await through.perform(operation, request, key);
      } catch (error) {
        if (!(error instanceof Error && error.name === 'BrokerGoneError')) throw error;
        return atTheFile(operation, request, key);
      }
    },
    changed: async (withinMs, signal) => {
      const through = isClosed ? undefined : await broker.now();
      if (through) return through.changed(withinMs, signal);
      const file = findDirect();
      if (!('type' in file)) await file.changed(withinMs, signal);
    },
    engine: () => {
      const file = findDirect();
      if ('type' in file) throw new StoreUnavailableError(file);
      return file.engine();
    },
    close: async () => {
      isClosed = true;
      broker.close();
      await open?.close();
    },
  };
}

/** Writes that need no key to have one effect, and why. These are the frequent ones, and a key costs a row. */
const REPEATABLE: Readonly<Partial<Record<OperationName, string>>> = {
  addTasks: 'its ids were chosen before it was sent',
  claim: 'it has a key of its own',
  acknowledge: 'by its lease',
  complete: 'by its lease',
  fail: 'by its lease',
  release: 'by its lease',
  heartbeat: 'a second one says the same',
  renewVerification: 'by the epoch of the verification',
};

/** Whether it may be carried out twice: by two processes at the same time, or late by one that was stopped. */
function isRepeatable(operation: string): boolean {
  const kind = ownValue<string>(OPERATION_KINDS, operation);
  return kind !== 'write' || ownValue(REPEATABLE, operation) !== undefined;
}
