import type { Attempt, AttemptDetails, AttemptState, Lease, PreviousAttempt } from './attempt.ts';
import type { Task, TaskState } from './task.ts';
import type { Unavailable } from './unavailable.ts';
import type { WorkerRef } from './workerOperationTypes.ts';

export interface ClaimRequest extends WorkerRef {
  /** Chosen by the caller, new for each claim; a claim repeated with it returns the same task. */
  readonly claimKey: string;
  readonly queue?: string | undefined;
  /** Left out: all types. */
  readonly types?: readonly string[] | undefined;
  /** This task or none. */
  readonly taskId?: string | undefined;
  /** Only offers the task: without `acknowledge` within this time it goes back, without penalty. */
  readonly offerMs?: number | undefined;
}

export interface Claimed {
  readonly type: 'claimed';
  readonly lease: Lease;
  readonly task: Task;
  readonly attempt: Attempt;
  /** Counted since the task was added or redriven, from 1. */
  readonly attemptNumber: number;
  readonly previous: PreviousAttempt | null;
}

/** Why a worker gets no task. Each number is counted up to `COUNT_CAP` only: an empty answer must stay cheap. */
export interface Readiness {
  readonly ready: number;
  readonly delayed: number;
  /** When the next delayed task that this worker could claim is due. */
  readonly nextDueAt: number | null;
  readonly blocked: number;
  readonly held: number;
  /** Ready or delayed, of a type that was not requested. */
  readonly otherType: number;
  readonly queuePaused: boolean;
}

export const COUNT_CAP = 1_000;

export type ClaimRefusal =
  | { readonly reason: 'unknownWorker' }
  /** Another incarnation has the slot. */
  | { readonly reason: 'staleIncarnation'; readonly incarnation: number }
  /** `launching`: it has to register first. */
  | { readonly reason: 'launching' | 'draining' | 'stopped' | 'lost' }
  | { readonly reason: 'accountPaused'; readonly untilAt: number }
  /** It already has a task, or the slot's last incarnation still has one. */
  | { readonly reason: 'holding'; readonly lease: Lease }
  /** The attempt of this claim key has ended, or belongs to another worker. */
  | { readonly reason: 'claimKeyUsed'; readonly state: AttemptState }
  | { readonly reason: 'unknownTask' }
  | { readonly reason: 'taskNotReady'; readonly status: Task['status'] };

export type ClaimOutcome =
  | Claimed
  | ({ readonly type: 'empty' } & Readiness)
  | ({ readonly type: 'refused' } & ClaimRefusal)
  | Unavailable;

/** The outcome for a lease that is no longer valid. Nothing was changed. */
export type LeaseLost =
  /** Claimed again, or ended without this attempt. */
  | { readonly type: 'superseded'; readonly epoch: number; readonly taskState: TaskState }
  | { readonly type: 'cancelled' }
  /** This attempt was settled before, in another way. */
  | { readonly type: 'settled'; readonly state: AttemptState }
  | { readonly type: 'unknownAttempt' };

export interface AcknowledgeRequest {
  readonly lease: Lease;
}

export type AcknowledgeOutcome = { readonly type: 'acknowledged' } | LeaseLost | Unavailable;

export interface HeartbeatRequest extends WorkerRef {
  /** Of the task it works on, if any. */
  readonly lease?: Lease | undefined;
  /** A sign of progress, not only of life. */
  readonly activity?: boolean | undefined;
  readonly tool?: 'started' | 'ended' | undefined;
  /** Notes for the next attempt, if this one does not finish. */
  readonly checkpoint?: string | undefined;
  readonly details?: AttemptDetails | undefined;
}

/** The first order that applies, in this order. */
export type HeartbeatOutcome =
  | { readonly type: 'superseded'; readonly by: 'worker' | 'task' }
  | { readonly type: 'cancel' }
  | { readonly type: 'drain' }
  | { readonly type: 'pausedUntil'; readonly untilAt: number }
  | { readonly type: 'ok'; readonly deadlineAt: number | null }
  | Unavailable;

export interface CompleteRequest {
  readonly lease: Lease;
  readonly result: string;
  readonly details?: AttemptDetails | undefined;
  /** If it is accepted, its worker claims again in the same transaction. A repeated call returns the same task. */
  readonly next?: Omit<ClaimRequest, 'workerId' | 'incarnation'> | undefined;
}

export type CompleteOutcome =
  | {
      readonly type: 'accepted';
      readonly taskState: 'done' | 'verifying';
      /** It had been given up, but not claimed again. */
      readonly late: boolean;
      /** The outcome of the claim in `next`. */
      readonly next?: ClaimOutcome;
    }
  | LeaseLost
  | Unavailable;

export interface FailRequest {
  readonly lease: Lease;
  readonly error: string;
  readonly reason?: 'failed' | 'timed_out' | undefined;
  /** Instead of the task's backoff. */
  readonly retryAfterMs?: number | undefined;
  /** Never try again. */
  readonly final?: boolean | undefined;
  readonly details?: AttemptDetails | undefined;
}

export type RequeueOutcome =
  | { readonly type: 'requeued'; readonly runAt: number }
  | { readonly type: 'dead' }
  | LeaseLost
  | Unavailable;

/**
 * Why a task is released without a failure. `rate_limited`, `unserved` and `drained` are not the task's fault and do not count; every
 * other reason counts as a release (`releaseCounts.ts`).
 */
export type ReleaseReason =
  | 'released'
  | 'rate_limited'
  /** The provider refused its agent, or the agent could not be started. */
  | 'unserved'
  | 'abandoned'
  | 'drained'
  /** Its time was over, but it had made progress. */
  | 'timed_out'
  /** A clean exit with work left. */
  | 'continued';

export interface ReleaseRequest {
  readonly lease: Lease;
  readonly reason: ReleaseReason;
  readonly delayMs?: number | undefined;
  readonly checkpoint?: string | undefined;
  readonly details?: AttemptDetails | undefined;
}

export interface ExtendRequest {
  readonly lease: Lease;
  readonly byMs: number;
}

export type ExtendOutcome =
  | { readonly type: 'extended'; readonly deadlineAt: number }
  /** Once per attempt. */
  | { readonly type: 'refused'; readonly reason: 'extendedBefore' | 'noDeadline' }
  | LeaseLost
  | Unavailable;

export interface TakeVerificationRequest {
  readonly holder: string;
  readonly ttlMs: number;
  readonly queue?: string | undefined;
  readonly taskId?: string | undefined;
}

export type TakeVerificationOutcome =
  | {
      readonly type: 'taken';
      readonly task: Task;
      readonly attempt: Attempt;
      readonly verifyEpoch: number;
      readonly untilAt: number;
    }
  | { readonly type: 'empty' }
  | Unavailable;

export interface SettleVerificationRequest {
  readonly taskId: string;
  readonly verifyEpoch: number;
  readonly verdict: 'pass' | 'reject';
  readonly reason?: string | undefined;
}

export type SettleVerificationOutcome =
  /** `superseded`: another verifier has it, or it is no longer being verified. */
  | { readonly type: 'done' | 'dead' | 'superseded' }
  | { readonly type: 'requeued'; readonly runAt: number }
  | Unavailable;
