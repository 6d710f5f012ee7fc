import type { DetachedEnd } from '../../system/detachedProcess.ts';
import type { AccountPause } from '../decisions/fleetFacts.ts';
import type { LivenessFacts } from '../decisions/liveness.ts';

/** What a coordinator knows about one incarnation and the store does not. It may be lost: the next coordinator finds it out again. */
export interface WorkerMemory {
  /** How its process ended, if it was a child of this process. */
  exit?: DetachedEnd | undefined;
  /** It was seen running, so its end is worth an event. */
  wasRunning?: boolean;
  isEndReported?: boolean;
  /** A limit ended it, and its account is already paused. */
  isPauseKnown?: boolean;
  isEnding?: boolean;
  wouldNotDie?: boolean;
  isDeferred?: boolean;
  madeProgress?: boolean;
  /** Its last known claim. */
  held?: { readonly taskId: string; readonly attemptId: string } | undefined;
  /** Another process ended that claim, and when. */
  outlived?: NonNullable<LivenessFacts['task']> | undefined;
  overSince?: number | undefined;
  /** It has ended, including all its child processes. */
  isGone?: boolean;
  /** The last stage reported, so that each is reported once. */
  reported?: string | undefined;
}

export interface FleetMemory {
  readonly workers: Map<string, WorkerMemory>;
  /** The last pause of the account, also after its end: its workers restart one after the other. */
  account: AccountPause | null;
  lastCheckAt: number | null;
  /** When the store was last unreachable. */
  lastOutageAt: number | null;
  awakeSince: number | null;
  /** The last value emitted per topic, so that each is emitted once. */
  readonly reported: Map<string, string>;
}

export function emptyMemory(): FleetMemory {
  return {
    workers: new Map(),
    account: null,
    lastCheckAt: null,
    lastOutageAt: null,
    awakeSince: null,
    reported: new Map(),
  };
}

export const incarnationKey = (slot: string, incarnation: number) => `${slot}#${incarnation}`;

export function memoryOf(memory: FleetMemory, slot: string, incarnation: number): WorkerMemory {
  const key = incarnationKey(slot, incarnation);
  const known = memory.workers.get(key);
  if (known) return known;
  const fresh: WorkerMemory = {};
  memory.workers.set(key, fresh);
  return fresh;
}

/** Forgets incarnations that neither run nor count for a restart: a fleet runs for months. */
export function forgetOthers(memory: FleetMemory, known: ReadonlySet<string>): void {
  for (const key of memory.workers.keys()) if (!known.has(key)) memory.workers.delete(key);
}
