import type { Worker } from '../../store/types.ts';
import type { LivenessFacts, LivenessLimits, ProcessSight, WatchedWorker } from './liveness.ts';
import type { RunEnd } from './restartBudget.ts';

/** A worker as a coordinator sees it: what the store has, and what only its own host can know. */
export interface FleetWorker {
  readonly worker: WatchedWorker & Pick<Worker, 'id' | 'incarnation' | 'pid' | 'pidStart'>;
  readonly process: ProcessSight;
  readonly task?: LivenessFacts['task'];
  readonly overSince?: number | null | undefined;
  /** Its group is being ended right now. */
  readonly isEnding?: boolean | undefined;
  readonly wouldNotDie?: boolean | undefined;
  /** That it would not die is on record. */
  readonly isDeferred?: boolean | undefined;
}

export interface SlotFacts {
  readonly slot: string;
  /** Part of the fleet's minimum: it runs whether tasks wait or not. */
  readonly isKept: boolean;
  /** Newest first. */
  readonly ends: readonly RunEnd[];
}

export interface AccountPause {
  readonly pausedAt?: number | null | undefined;
  readonly pausedUntil: number;
  /** Why, as the store has it. */
  readonly source?: string | null | undefined;
}

export interface FleetFacts {
  readonly now: number;
  readonly host: string;
  /** See `observer.ts`. */
  readonly awakeSince: number;
  /** Null while another coordinator leads: what runs here is still watched, but nothing is started. */
  readonly leaderEpoch: number | null;
  /** SIGTERM was received: everything has to be put down by then. */
  readonly shutdown: { readonly askedAt: number; readonly deadlineAt: number } | null;
  /** False: nothing is started, but watching goes on. */
  readonly isDispatching: boolean;
  readonly workers: readonly FleetWorker[];
  readonly slots: readonly SlotFacts[];
  /** Tasks that a worker of this fleet could claim now. */
  readonly ready: number;
  readonly most: number;
  /** What `hostRoom` says. */
  readonly room: number;
  readonly account: AccountPause | null;
  /** Newest first, of all slots of this host. */
  readonly hostEnds?: readonly RunEnd[] | undefined;
  readonly limits?: LivenessLimits | undefined;
}
