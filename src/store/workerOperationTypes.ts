import type { Lease } from './attempt.ts';
import type { TaskState } from './task.ts';
import type { Unavailable } from './unavailable.ts';
import type { Account, Launch, Worker, WorkerFacts } from './worker.ts';

export interface WorkerRef {
  readonly workerId: string;
  readonly incarnation: number;
}

/** The slot belongs to another incarnation, or to none. */
export type NotThisWorker =
  | { readonly type: 'staleIncarnation'; readonly incarnation: number }
  | { readonly type: 'unknownWorker' };

export interface RegisterRequest extends WorkerFacts {
  readonly workerId: string;
  /** One that a launch reserved, or its own again; default: the next. */
  readonly incarnation?: number | undefined;
}

export type RegisterOutcome =
  | { readonly type: 'registered'; readonly incarnation: number }
  /** The slot's last incarnation still holds a task: confirm its death and reap it first. */
  | { readonly type: 'occupied'; readonly worker: Worker; readonly lease: Lease }
  | { readonly type: 'staleIncarnation'; readonly incarnation: number }
  | Unavailable;

export interface LaunchRequest extends WorkerFacts {
  readonly slot: string;
  /** How long it may take to register. */
  readonly deadlineMs: number;
  /** Refused if another process leads now. */
  readonly leader?: { readonly name: string; readonly holder: string; readonly epoch: number } | undefined;
}

export type LaunchOutcome =
  | { readonly type: 'launching'; readonly incarnation: number; readonly launchUntil: number }
  | { readonly type: 'occupied'; readonly worker: Worker; readonly lease: Lease | null }
  | { readonly type: 'notLeading' }
  | Unavailable;

export interface EndLaunchRequest {
  readonly slot: string;
  readonly incarnation: number;
  readonly result: string;
}

export interface UpdateWorkerRequest extends WorkerRef, Omit<WorkerFacts, 'queue' | 'types' | 'kind'> {
  /** One more blocked stop, and why; `clear` at a new turn. */
  readonly stopBlock?: { readonly reason: string } | 'clear' | undefined;
}

export type UpdateWorkerOutcome =
  /** `sameReason`: the block before this one had the same reason. */
  { readonly type: 'updated'; readonly stopBlocks: number; readonly sameReason: boolean } | NotThisWorker | Unavailable;

export interface StopWorkerRequest extends WorkerRef {
  readonly exitCode?: number | null | undefined;
  readonly exitReason: string;
}

export type StopWorkerOutcome =
  | { readonly type: 'stopped' }
  /** It still has a task: settle it first. */
  | { readonly type: 'holding'; readonly lease: Lease }
  | NotThisWorker
  | Unavailable;

export interface DrainWorkerRequest {
  readonly workerId: string;
  readonly incarnation?: number | undefined;
  readonly actor?: string | undefined;
}

export type DrainWorkerOutcome = { readonly type: 'draining' | 'unchanged' } | NotThisWorker | Unavailable;

export interface ReapRequest extends WorkerRef {
  /**
   * `exited`: its process is known to be gone, so its task goes back immediately. `lapsed`: it is only silent, so the first call
   * marks it suspect, and a later one, after `graceMs` of further silence, requeues its task.
   */
  readonly evidence: 'exited' | 'lapsed';
  /** Silence that makes it suspect. */
  readonly staleAfterMs: number;
  readonly graceMs: number;
  readonly reason?: string | undefined;
  readonly exitCode?: number | null | undefined;
  readonly actor?: string | undefined;
}

export type ReapOutcome =
  | { readonly type: 'alive'; readonly heartbeatAt: number }
  | { readonly type: 'suspect'; readonly dueAt: number }
  | { readonly type: 'reaped'; readonly task: { readonly id: string; readonly state: TaskState } | null }
  /** It had already stopped or was lost. */
  | { readonly type: 'unchanged' }
  | NotThisWorker
  | Unavailable;

export interface DeferReclaimRequest extends WorkerRef {
  readonly reason: string;
  readonly actor?: string | undefined;
}

export type DeferReclaimOutcome = { readonly type: 'noted' } | NotThisWorker | Unavailable;

export interface WorkersRequest {
  readonly queue?: string | undefined;
  readonly workerId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Default: also those that stopped or were lost. */
  readonly running?: boolean | undefined;
}

/** `now` is the store's clock, to compute ages. */
export type WorkersOutcome =
  | { readonly type: 'workers'; readonly now: number; readonly workers: readonly Worker[] }
  | Unavailable;

export interface LaunchesRequest {
  readonly slot?: string | undefined;
  readonly withinMs?: number | undefined;
  readonly limit?: number | undefined;
}

/** Newest first. */
export type LaunchesOutcome =
  | { readonly type: 'launches'; readonly now: number; readonly launches: readonly Launch[] }
  | Unavailable;

/** The later of the requested and the stored time counts; `resumeAccount` ends the pause earlier. */
export interface PauseAccountRequest {
  readonly key: string;
  /** A time from the provider, or a duration from the store's clock. */
  readonly until: { readonly at: number } | { readonly ms: number };
  readonly source: string;
}

export type PauseAccountOutcome = { readonly type: 'paused'; readonly untilAt: number } | Unavailable;

export type ResumeAccountOutcome = { readonly type: 'resumed' | 'unchanged' } | Unavailable;

export type AccountsOutcome =
  | { readonly type: 'accounts'; readonly now: number; readonly accounts: readonly Account[] }
  | Unavailable;

export interface LeadRequest {
  readonly name: string;
  readonly holder: string;
  readonly ttlMs: number;
}

export type LeadOutcome =
  | { readonly type: 'leading'; readonly epoch: number; readonly untilAt: number }
  | { readonly type: 'following'; readonly holder: string; readonly epoch: number; readonly untilAt: number }
  | Unavailable;

export interface ResignRequest {
  readonly name: string;
  readonly holder: string;
  readonly epoch: number;
}

export type ResignOutcome = { readonly type: 'resigned' | 'unchanged' } | Unavailable;
