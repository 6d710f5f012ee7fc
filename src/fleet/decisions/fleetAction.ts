import type { FleetWorker } from './fleetFacts.ts';
import type { MustEndWhy } from './liveness.ts';

interface OfWorker {
  workerId: string;
  /** The next worker with the same name has another incarnation. */
  incarnation: number;
}

export type EndWhy = MustEndWhy | 'stalled' | 'shutdown' | 'launchFailed';

/** Each action is harmless when another process has already done it. */
interface FleetActions {
  startWorker: { slot: string; leaderEpoch: number; why: 'kept' | 'tasksWait' };
  markSuspect: OfWorker & { dueAt: number };
  /** SIGTERM, then SIGKILL; the next tick checks what is left. */
  endGroup: OfWorker & { pid: number; pidStart: string | null; why: EndWhy };
  /**
   * Only for a process that is gone, or one on another host whose lease has expired. `drained` does not count against the
   * task.
   */
  release: OfWorker & { evidence: 'exited' | 'lapsed'; as: 'lost' | 'drained' };
  deferReclaim: OfWorker;
  endLaunch: OfWorker;
  warn: OfWorker & { silentMs: number };
  drain: OfWorker & { why: 'shutdown' | 'scaleDown' };
}

export type ActionOf<Type extends keyof FleetActions> = Readonly<{ type: Type } & FleetActions[Type]>;

/** What a coordinator does. */
export type FleetAction = { [Type in keyof FleetActions]: ActionOf<Type> }[keyof FleetActions];

/** Empty without a process, or when it is already being ended. */
export function endGroup(seen: FleetWorker, why: EndWhy): readonly ActionOf<'endGroup'>[] {
  const { worker, process, isEnding } = seen;
  if (isEnding || worker.pid === null || process === 'gone') return [];
  return [{ type: 'endGroup', ...whoOf(seen), pid: worker.pid, pidStart: worker.pidStart, why }];
}

export function whoOf({ worker }: FleetWorker): Readonly<OfWorker> {
  return { workerId: worker.id, incarnation: worker.incarnation };
}
