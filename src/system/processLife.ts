import { hostname } from 'node:os';
import { START_TIME, statFields } from './procfs.ts';

/** Identifies one process of any host. */
export interface ProcessFacts {
  readonly host: string;
  readonly pid: number;
  readonly pidStart: string | null;
}

export function thisProcess(): ProcessFacts {
  return { host: hostname(), pid: process.pid, pidStart: startOfProcess(process.pid) ?? null };
}

/** True while a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // exists, but we may not signal it
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process started, as the kernel counts it; with the pid it identifies one process. Undefined without /proc. */
export function startOfProcess(pid: number): string | undefined {
  return statFields(pid)?.[START_TIME];
}

/** True while the process with this id runs and started then, so that its id was not reused. */
export function isSameProcess(pid: number, startedAt: string | null | undefined): boolean {
  if (!isAlive(pid)) return false;
  const stat = statFields(pid);
  // dead, but not reaped by its parent: in a container without an init it may stay forever
  if (stat?.[0] === 'Z' || stat?.[0] === 'X') return false;
  return startedAt == null || stat?.[START_TIME] === startedAt;
}

type RecordedProcess = { readonly [Fact in keyof ProcessFacts]: ProcessFacts[Fact] | null };

/** Whether a recorded process is known to have ended; nothing is known about processes on other hosts. */
export function isProcessGone({ host, pid, pidStart }: RecordedProcess, here = hostname()): boolean {
  return host === here && pid !== null && !isSameProcess(pid, pidStart);
}
