import { bootId } from './machineBoot.ts';
import { START_TIME, statFields } from './procfs.ts';
import { isSameHost, thisHost } from './thisHost.ts';

/** Identifies one process of any host. */
export interface ProcessFacts {
  readonly host: string;
  readonly pid: number;
  readonly pidStart: string | null;
}

export function thisProcess(): ProcessFacts {
  return { host: thisHost(), pid: process.pid, pidStart: startOfProcess(process.pid) ?? null };
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

/**
 * When a process started, as the kernel counts it from the machine's start, and which start that was; with the pid it identifies one
 * process. Undefined without /proc.
 */
export function startOfProcess(pid: number): string | undefined {
  return startIn(statFields(pid));
}

export function startIn(stat: readonly string[] | undefined): string | undefined {
  const ticks = stat?.[START_TIME];
  const boot = bootId();
  return ticks === undefined || boot === null ? ticks : `${ticks}@${boot.slice(0, 8)}`;
}

/** True while the process with this id runs and started then, so that its id was not reused. */
export function isSameProcess(pid: number, startedAt: string | null | undefined): boolean {
  if (!isAlive(pid)) return false;
  const stat = statFields(pid);
  // dead, but not reaped by its parent: in a container without an init it may stay forever
  if (stat?.[0] === 'Z' || stat?.[0] === 'X') return false;
  // a record of an older version does not name the start of the machine
  return startedAt == null || [startIn(stat), stat?.[START_TIME]].includes(startedAt);
}

type RecordedProcess = { readonly [Fact in keyof ProcessFacts]: ProcessFacts[Fact] | null };

/** Whether a recorded process is known to have ended; nothing is known about processes on other hosts. */
export function isProcessGone({ host, pid, pidStart }: RecordedProcess, here = thisHost()): boolean {
  return isSameHost(host, here) && pid !== null && !isSameProcess(pid, pidStart);
}
