import { hostname } from 'node:os';
import type { Worker } from '../store/types.ts';
import { isSameProcess, startOfProcess } from '../system/processLife.ts';

/** What says which process a slot belongs to. */
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

/** Known to be gone; of another machine's process nothing is known. */
export function isGone({ host }: ProcessFacts, worker: WorkerProcess): boolean {
  return worker.host === host && worker.pid !== null && !isSameProcess(worker.pid, worker.pidStart ?? undefined);
}
