import type { Worker } from '../../store/types.ts';
import type { HostShortage } from './hostRoom.ts';
import type { LivenessFacts, WatchedWorker } from './liveness.ts';
import type { RunEnd } from './restartBudget.ts';

/** A worker as a coordinator sees it: what the store has, and what only its own host can see. */
export interface FleetWorker extends Pick<LivenessFacts, 'process' | 'taskEndedAt' | 'overSince' | 'wouldNotDie'> {
  readonly worker: WatchedWorker & Pick<Worker, 'id' | 'incarnation' | 'pid' | 'pidStart'>;
  /** Its group is being ended right now. */
  readonly isEnding?: boolean | undefined;
  /** The store already records that it would not die. */
  readonly isDeferred?: boolean | undefined;
}

export interface SlotFacts {
  readonly slot: string;
  /** Part of the fleet's minimum: it runs even when no task waits. */
  readonly isKept: boolean;
  /** Newest first. */
  readonly ends: readonly RunEnd[];
}

export interface AccountPause {
  readonly pausedAt?: number | null | undefined;
  readonly pausedUntil: number;
  /** Why, from the store. */
  readonly source?: string | null | undefined;
}

export interface FleetFacts extends Pick<LivenessFacts, 'now' | 'host' | 'awakeSince' | 'lease'> {
  /** Null while another coordinator leads: workers here are still watched, but none is started. */
  readonly leaderEpoch: number | null;
  /** SIGTERM was received: every worker must have ended by the deadline. */
  readonly shutdown: { readonly requestedAt: number; readonly deadlineAt: number } | null;
  readonly workers: readonly FleetWorker[];
  readonly slots: readonly SlotFacts[];
  /** Tasks that a worker of this fleet could claim now. */
  readonly ready: number;
  readonly most: number;
  /** See `hostRoom`. */
  readonly room: number;
  readonly shortage?: HostShortage | null | undefined;
  readonly account: AccountPause | null;
  /** Newest first, of all slots of this host. */
  readonly hostEnds?: readonly RunEnd[] | undefined;
}
