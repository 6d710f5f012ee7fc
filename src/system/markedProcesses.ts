import { attempt } from './attempt.ts';
import type { Mark } from './marks.ts';
import { isSameProcess, startOfProcess } from './processLife.ts';
import { processIds, readProc } from './procfs.ts';

/**
 * The living processes that were started with this variable in their environment: children inherit it, even when they
 * leave the process group. Empty without /proc.
 */
export function markedProcesses(name: Mark, value: string): readonly number[] {
  const entry = `\0${name}=${value}\0`;
  return processIds().filter((pid) => {
    return (
      pid !== process.pid &&
      `\0${readProc(pid, 'environ') ?? ''}`.includes(entry) &&
      isSameProcess(pid, startOfProcess(pid))
    );
  });
}

/** One that has ended meanwhile is left alone. */
export const signalProcess = (pid: number, signal: NodeJS.Signals): boolean =>
  attempt(() => process.kill(pid, signal), false);
