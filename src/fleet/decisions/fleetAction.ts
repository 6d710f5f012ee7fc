import type { MustEndWhy } from './liveness.ts';

export interface ActionWorker {
  readonly workerId: string;
  /** Every message says which one is meant: the next worker of the same name is somebody else. */
  readonly incarnation: number;
}

export type EndWhy = MustEndWhy | 'stalled' | 'shutdown' | 'launchFailed';

/** What a coordinator does; each one is harmless when somebody else has done it already. */
export type FleetAction =
  | {
      readonly type: 'startWorker';
      readonly slot: string;
      readonly leaderEpoch: number;
      readonly why: 'kept' | 'tasksWait';
    }
  | (ActionWorker & { readonly type: 'markSuspect'; readonly dueAt: number })
  /** Politely, then not; what is left is looked at in the next tick. */
  | (ActionWorker & {
      readonly type: 'endGroup';
      readonly pid: number;
      readonly pidStart: string | null;
      readonly why: EndWhy;
    })
  /** Only ever of a process that is gone, or of another host's whose lease has passed. */
  | (ActionWorker & {
      readonly type: 'release';
      readonly evidence: 'exited' | 'lapsed';
      /** `drained` counts as nothing. */
      readonly as: 'lost' | 'drained';
    })
  | (ActionWorker & { readonly type: 'deferReclaim' })
  | (ActionWorker & { readonly type: 'endLaunch' })
  | (ActionWorker & { readonly type: 'warn'; readonly silentMs: number })
  | (ActionWorker & { readonly type: 'drain'; readonly why: 'shutdown' | 'scaleDown' });
