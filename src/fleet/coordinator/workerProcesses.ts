import { type Clock, endsWithin } from '../../system/clock.ts';
import { markedProcesses, signalProcess } from '../../system/markedProcesses.ts';
import { MARKS } from '../../system/marks.ts';
import { hasLivingOrphans, signalGroup } from '../../system/processGroup.ts';
import { isSameProcess } from '../../system/processLife.ts';
import type { WorkerProcess, WorkerProcesses } from './coordinatorWorld.ts';

/** Slots of different stores may have the same names. */
export function workerMark(
  storeLocation: string,
  { id, incarnation }: Pick<WorkerProcess, 'id' | 'incarnation'>,
): string {
  return `${id}#${incarnation}@${storeLocation}`;
}

/** The living processes that a worker's agents started. */
export const markedOf = (storeLocation: string, process: WorkerProcess): readonly number[] =>
  markedProcesses(MARKS.worker, workerMark(storeLocation, process));

const CHECK_EVERY_MS = 50;
/** A process that survives SIGKILL for this long hangs in the kernel. */
const KILL_MS = 3_000;

/** The real implementation: each worker leads its own process group. */
export function workerProcesses(clock: Clock, storeLocation: string): WorkerProcesses {
  const marked = (process: WorkerProcess) => markedOf(storeLocation, process);
  const leaderRuns = ({ pid, pidStart }: WorkerProcess) => pid !== null && isSameProcess(pid, pidStart);
  const hasOthers = (process: WorkerProcess) =>
    (process.pid !== null && hasLivingOrphans(process.pid)) || marked(process).length > 0;
  /** False when it is gone. */
  const signalLeader = (process: WorkerProcess, signal: NodeJS.Signals) =>
    process.pid !== null && leaderRuns(process) && signalGroup(process.pid, signal);
  const signalOthers = (process: WorkerProcess, signal: NodeJS.Signals) => {
    if (process.pid !== null && hasLivingOrphans(process.pid)) signalGroup(process.pid, signal);
    for (const other of marked(process)) signalProcess(other, signal);
  };
  const goneWithin = (process: WorkerProcess, ms: number) =>
    endsWithin(clock, ms, () => leaderRuns(process) || hasOthers(process), CHECK_EVERY_MS);

  return {
    sight: (process) => {
      if (process.pid === null) return 'unknown';
      if (leaderRuns(process)) return 'running';
      return hasOthers(process) ? 'orphaned' : 'gone';
    },
    strangerSight: (process) => (process.pid === null ? 'unknown' : leaderRuns(process) ? 'running' : 'gone'),
    drain: (process) => void signalLeader(process, 'SIGTERM'),
    end: async (process, graceMs) => {
      // while it lives, it ends its own children
      if (!signalLeader(process, 'SIGTERM')) signalOthers(process, 'SIGTERM');
      if (await goneWithin(process, graceMs / 2)) return true;
      // on the first SIGTERM a worker lets its agent finish; on the second it ends it immediately and releases its task
      signalLeader(process, 'SIGTERM');
      if (await goneWithin(process, graceMs / 2)) return true;
      signalLeader(process, 'SIGKILL');
      signalOthers(process, 'SIGKILL');
      return goneWithin(process, KILL_MS);
    },
  };
}
