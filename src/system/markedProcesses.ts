import { readdirSync, readFileSync } from 'node:fs';
import type { Mark } from './marks.ts';
import { isSameProcess, startOfProcess } from './processLife.ts';

/**
 * The living processes that were started with this variable in their environment, by whomever and in whatever group: what
 * a command starts inherits it, also where it leaves the group. Without /proc none is found.
 */
export function markedProcesses(name: Mark, value: string): readonly number[] {
  const entry = `\0${name}=${value}\0`;
  return processIds().filter((pid) => {
    return pid !== process.pid && `\0${environmentOf(pid)}`.includes(entry) && isSameProcess(pid, startOfProcess(pid));
  });
}

/** One that is gone by now is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it ended between the look and the signal
  }
}

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/** Empty for processes of others, and for the dead. */
function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}
