import type { Requests } from './requests.ts';

/**
 * A worker is a named slot. Each registration or launch in it is a new incarnation, and every message names its incarnation.
 * `launching` has its own deadline; `draining` takes no more tasks; `stopped` and `lost` are final for an incarnation. `idle`, `busy`,
 * `paused` and `suspect` are derived when it is read.
 */
type WorkerState = 'launching' | 'live' | 'draining' | 'stopped' | 'lost';

export type WorkerStatus = Exclude<WorkerState, 'live'> | 'idle' | 'busy' | 'paused' | 'suspect';

/** The kind for people, scripts and unsupervised agents: no timer sends their heartbeats, so silence proves nothing. */
export const MANUAL_KIND = 'manual';

/** Of the leases that coordinators compete for; the name of their fleet follows. */
export const FLEET_LEADER = 'fleet:';

/** What a worker reports about itself. */
export type WorkerFacts = Omit<Requests['registerWorker'], 'workerId' | 'incarnation' | 'leaseMs'>;

type KnownFacts = { readonly [Name in keyof WorkerFacts]-?: Exclude<WorkerFacts[Name], undefined> };

export interface Worker extends KnownFacts {
  readonly id: string;
  readonly incarnation: number;
  readonly state: WorkerState;
  readonly status: WorkerStatus;
  readonly registeredAt: number;
  /** Until when a launching worker must have registered. */
  readonly launchUntil: number | null;
  /** Set by a timer of its supervising process: shows that it is alive. */
  readonly heartbeatAt: number;
  /** Set only by hooks: shows that it makes progress. */
  readonly activityAt: number;
  /** Set while a tool runs. */
  readonly toolStartedAt: number | null;
  readonly lastClaimedAt: number | null;
  readonly lastSettledAt: number | null;
  /** The latest of registered, claimed and settled; null while it holds a task. */
  readonly idleSince: number | null;
  readonly suspectAt: number | null;
  /** Of its account. */
  readonly pausedUntil: number | null;
  readonly stopBlocks: number;
  readonly lastBlockReason: string | null;
  readonly exitCode: number | null;
  readonly exitReason: string | null;
  /** What it holds now. */
  readonly taskId: string | null;
  readonly attemptId: string | null;
  readonly epoch: number | null;
}

/** One start of a slot, for restart budgets. */
export interface Launch {
  readonly slot: string;
  readonly incarnation: number;
  readonly requestedAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly result: string | null;
}

export interface Account {
  readonly key: string;
  readonly pausedUntil: number | null;
  readonly source: string | null;
}
