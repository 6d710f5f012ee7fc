import type { DetachedEnd } from '../../system/detachedProcess.ts';
import type { AccountPause } from '../decisions/fleetFacts.ts';
import type { StoreSnapshot } from './storeSnapshot.ts';

/** What a coordinator knows about one incarnation and the store does not. It may be lost: the next coordinator finds it out again. */
export interface WorkerMemory {
  /** How its process ended, if it was a child of this process. */
  exit?: DetachedEnd | undefined;
  /** It was seen running, so its end is worth an event. */
  wasRunning?: boolean;
  isEndReported?: boolean;
  isStallReported?: boolean;
  /** A limit ended it, and its account is already paused. */
  isPauseKnown?: boolean;
  isEnding?: boolean;
  /** It was told to drain by a signal, because the store could not be asked to. */
  isSignalled?: boolean;
  wouldNotDie?: boolean;
  isDeferred?: boolean;
  madeProgress?: boolean;
  /** Its last known claim. */
  held?: { readonly taskId: string; readonly attemptId: string } | undefined;
  /** When another process ended that claim. */
  claimEndedAt?: number | undefined;
  overSince?: number | undefined;
  /** It has ended, including all its child processes. */
  isGone?: boolean;
}

export class FleetMemory {
  readonly workers = new Map<string, WorkerMemory>();
  /** The last pause of the account, also after its end: its workers restart one after the other. */
  account: AccountPause | null = null;
  lastCheckAt: number | null = null;
  /** When the store was last unreachable. */
  lastOutageAt: number | null = null;
  awakeSince: number | null = null;
  /** The last value emitted per topic, so that each is emitted once. */
  readonly reported = new Map<string, string>();

  of(slot: string, incarnation: number): WorkerMemory {
    const known = this.workers.get(keyOf(slot, incarnation)) ?? {};
    this.workers.set(keyOf(slot, incarnation), known);
    return known;
  }

  /** Forgets incarnations that neither run nor count for a restart: a fleet runs for months. */
  forgetOthers({ launches, workers }: StoreSnapshot): void {
    const started = launches.map(({ slot, incarnation }) => keyOf(slot, incarnation));
    const known = new Set([...started, ...workers.map(({ id, incarnation }) => keyOf(id, incarnation))]);
    for (const key of this.workers.keys()) if (!known.has(key)) this.workers.delete(key);
  }
}

const keyOf = (slot: string, incarnation: number) => `${slot}#${incarnation}`;
