import { hostname } from 'node:os';
import { START_TIME, statFields } from './procfs.ts';

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

interface RecordedProcess {
  readonly host: string | null;
  readonly pid: number | null;
  readonly pidStart: string | null;
}

/** This process, as records name it: its id alone may be reused. */
export const thisProcess = () => ({
  host: hostname(),
  pid: process.pid,
  pidStart: startOfProcess(process.pid) ?? null,
});

/** True when a recorded process of this host has ended; of another host nothing is known. */
export function isGoneHere({ host, pid, pidStart }: RecordedProcess): boolean {
  return host === hostname() && pid !== null && !isSameProcess(pid, pidStart ?? undefined);
}

/** True while the process with this id runs and started then, so that its id was not reused. */
export function isSameProcess(pid: number, startedAt: string | undefined): boolean {
  if (!isAlive(pid)) return false;
  const stat = statFields(pid);
  // dead, but not reaped by its parent: in a container without an init it may stay forever
  if (stat?.[0] === 'Z' || stat?.[0] === 'X') return false;
  return startedAt === undefined || stat?.[START_TIME] === startedAt;
}
