import type { FleetWorker } from './fleetFacts.ts';
import type { MustEndWhy } from './liveness.ts';

export interface ActionWorker {
  readonly workerId: string;
  /** The next worker with the same name has another incarnation. */
  readonly incarnation: number;
}

export type EndWhy = MustEndWhy | 'stalled' | 'shutdown' | 'launchFailed';

/** What a coordinator does; each action is harmless when another process has already done it. */
export type FleetAction =
  | {
      readonly type: 'startWorker';
      readonly slot: string;
      readonly leaderEpoch: number;
      readonly why: 'kept' | 'tasksWait';
    }
  | (ActionWorker & { readonly type: 'markSuspect'; readonly dueAt: number })
  /** SIGTERM, then SIGKILL; the next tick checks what is left. */
  | (ActionWorker & {
      readonly type: 'endGroup';
      readonly pid: number;
      readonly pidStart: string | null;
      readonly why: EndWhy;
    })
  /** Only for a process that is gone, or one on another host whose lease has expired. */
  | (ActionWorker & {
      readonly type: 'release';
      readonly evidence: 'exited' | 'lapsed';
      /** `drained` does not count against the task. */
      readonly as: 'lost' | 'drained';
    })
  | (ActionWorker & { readonly type: 'deferReclaim' })
  | (ActionWorker & { readonly type: 'endLaunch' })
  | (ActionWorker & { readonly type: 'warn'; readonly silentMs: number })
  | (ActionWorker & { readonly type: 'drain'; readonly why: 'shutdown' | 'scaleDown' });

/** Empty without a process, or when it is already being ended. */
export function endGroup(seen: FleetWorker, why: EndWhy): readonly FleetAction[] {
  const { worker, process, isEnding } = seen;
  if (isEnding || worker.pid === null || process === 'gone') return [];
  return [{ type: 'endGroup', ...whoOf(seen), pid: worker.pid, pidStart: worker.pidStart, why }];
}

export function whoOf({ worker }: FleetWorker): ActionWorker {
  return { workerId: worker.id, incarnation: worker.incarnation };
}
