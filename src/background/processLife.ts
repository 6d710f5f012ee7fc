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
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // after the name, which may hold anything: state is field 3, the start is field 22
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
