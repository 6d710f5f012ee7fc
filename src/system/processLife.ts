import { readFileSync } from 'node:fs';

/** True while a process with this id is there, whosever it is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // there, but not ours to signal
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * When a process started, as the kernel counts it: with the pid it names one process for good. Undefined where there
 * is no /proc; a pid then counts alone.
 */
export function startOfProcess(pid: number): string | undefined {
  return statOf(pid)?.[19];
}

/** True while the process with this id runs and is the one that started then, not another that got its id since. */
export function isSameProcess(pid: number, startedAt: string | undefined): boolean {
  if (!isAlive(pid)) return false;
  const stat = statOf(pid);
  // dead, but not collected by its parent: in a container without an init that can be for ever
  if (stat?.[0] === 'Z' || stat?.[0] === 'X') return false;
  return startedAt === undefined || stat?.[19] === startedAt;
}

/** The fields from the state on, which is field 3; the start is field 22. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // the name before may hold anything
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
