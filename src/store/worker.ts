/**
 * A worker is a slot with a name. Each registration or launch in it is an incarnation, counted up, and every message names
 * its incarnation. `launching` has its own deadline; `draining` takes no more tasks; `stopped` and `lost` are ends that only
 * a new incarnation leaves. `idle`, `busy`, `paused` and `suspect` are derived when it is read.
 */
export type WorkerState = 'launching' | 'live' | 'draining' | 'stopped' | 'lost';

export type WorkerStatus = Exclude<WorkerState, 'live'> | 'idle' | 'busy' | 'paused' | 'suspect';

/** The kind of workers that are people, scripts and unsupervised agents: no timer beats for them, so silence proves nothing. */
export const MANUAL_KIND = 'manual';

/** What a worker says of itself. */
export interface WorkerFacts {
  /** `default`, `critical`, `temporary`, `persistent` …: what thresholds it has is decided elsewhere. */
  readonly kind?: string | undefined;
  readonly queue?: string | undefined;
  /** The task types it takes; null takes all. */
  readonly types?: readonly string[] | null | undefined;
  readonly host?: string | null | undefined;
  readonly pid?: number | null | undefined;
  /** The start of the process as the system reports it: a pid alone may belong to another process by now. */
  readonly pidStart?: string | null | undefined;
  readonly sessionId?: string | null | undefined;
  readonly accountKey?: string | null | undefined;
  /** Null never stops for being idle. */
  readonly idleLimitMs?: number | null | undefined;
}

export interface Worker {
  readonly id: string;
  readonly incarnation: number;
  readonly kind: string;
  readonly queue: string;
  readonly types: readonly string[] | null;
  readonly host: string | null;
  readonly pid: number | null;
  readonly pidStart: string | null;
  readonly sessionId: string | null;
  readonly accountKey: string | null;
  readonly idleLimitMs: number | null;
  readonly state: WorkerState;
  readonly status: WorkerStatus;
  readonly registeredAt: number;
  /** Until when a launching worker may take to register. */
  readonly launchUntil: number | null;
  /** Set by a timer of the process that supervises it: shows that it is alive. */
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
