import { hostname } from 'node:os';
import type { Store, Worker } from '../store/types.ts';
import type { Ids } from '../system/ids.ts';
import { isSameProcess, startOfProcess } from '../system/processLife.ts';

/** The team, the store, and who this agent is. */
export interface TeamContext {
  readonly store: Store;
  readonly team: string;
  /** The name of this agent. */
  readonly name: string;
  readonly sessionId: string | null;
  readonly process: ProcessFacts;
  readonly ids: Ids;
}

/** Identifies the process that a slot belongs to. */
export interface ProcessFacts {
  readonly host: string;
  readonly pid: number;
  readonly pidStart: string | null;
}

export function thisProcess(): ProcessFacts {
  return { host: hostname(), pid: process.pid, pidStart: startOfProcess(process.pid) ?? null };
}

type WorkerProcess = Pick<Worker, 'host' | 'pid' | 'pidStart'>;

export function isOf({ host, pid, pidStart }: ProcessFacts, worker: WorkerProcess): boolean {
  return worker.host === host && worker.pid === pid && worker.pidStart === pidStart;
}

/** Whether it is known to have ended; nothing is known about processes on other hosts. */
export function isGone({ host }: ProcessFacts, worker: WorkerProcess): boolean {
  return worker.host === host && worker.pid !== null && !isSameProcess(worker.pid, worker.pidStart ?? undefined);
}
