import type { DetachedEnd } from '../../system/detachedProcess.ts';
import type { AccountPause } from '../decisions/fleetFacts.ts';
import type { LivenessFacts } from '../decisions/liveness.ts';

/** What a coordinator knows of one incarnation and the store does not. All of it may be lost: the next one finds out again. */
export interface WorkerMemory {
  /** How its process ended, where it was our own child. */
  exit?: DetachedEnd | undefined;
  /** It was seen while it ran, so that its end is news. */
  wasRunning?: boolean;
  isEndTold?: boolean;
  /** A limit of its account ended it, and the account is paused. */
  isPauseKnown?: boolean;
  isEnding?: boolean;
  wouldNotDie?: boolean;
  isDeferred?: boolean;
  madeProgress?: boolean;
  /** The claim it was last seen with. */
  held?: { readonly taskId: string; readonly attemptId: string } | undefined;
  /** That claim was ended by somebody else, and since when. */
  outlived?: NonNullable<LivenessFacts['task']> | undefined;
  overSince?: number | undefined;
  /** It has ended, and so has everything it started: there is nothing more to see. */
  isGone?: boolean;
  /** What was told of it last, so that it is told once. */
  told?: string | undefined;
}

export interface FleetMemory {
  readonly workers: Map<string, WorkerMemory>;
  /** The last pause of the account, also after it: those who met it together start again one after the other. */
  account: AccountPause | null;
  lastLookAt: number | null;
  /** When the store could not be asked last. */
  lastOutageAt: number | null;
  awakeSince: number | null;
  /** What was told last of things that are told once. */
  readonly told: Map<string, string>;
}

export function emptyMemory(): FleetMemory {
  return { workers: new Map(), account: null, lastLookAt: null, lastOutageAt: null, awakeSince: null, told: new Map() };
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

/** Of incarnations that neither run nor count for a restart any more nothing is kept: a fleet runs for months. */
export function forgetOthers(memory: FleetMemory, known: ReadonlySet<string>): void {
  for (const key of memory.workers.keys()) if (!known.has(key)) memory.workers.delete(key);
}
