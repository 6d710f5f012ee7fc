import type { Attempt, AttemptState, Lease, PreviousAttempt } from './attempt.ts';
import type { StoreEvent } from './event.ts';
import type { GrowthOutcomes, Unchanged } from './growthOutcomes.ts';
import type { Requests } from './requests.ts';
import type { Review, ReviewLimit, ReviewState } from './review.ts';
import type { Task, TaskCounts, TaskDetail, TaskState } from './task.ts';
import type { Unavailable } from './unavailable.ts';
import type { Account, Launch, Worker } from './worker.ts';

/** In the order they were given. */
export interface AddedTask {
  readonly id: string;
  /** False when a task with this id or dedupe key already existed. */
  readonly created: boolean;
}

type AddProblem = 'invalid' | 'unknownDependency' | 'failedDependency' | 'cycle';

type RefusedState = { readonly type: 'refused'; readonly reason: 'state'; readonly state: TaskState };

type Changed =
  | { readonly type: 'changed'; readonly state: TaskState }
  | { readonly type: 'unchanged'; readonly state: TaskState }
  | RefusedState
  /** A task with its dedupe key has been added since. */
  | { readonly type: 'refused'; readonly reason: 'duplicate'; readonly existingId: string }
  | { readonly type: 'unknownTask' };

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
  /** Due, but waiting for a limit: that of the queue, or of their concurrency keys. */
  readonly limited: number;
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

/** The outcome for a lease that is no longer valid. Nothing was changed. */
export type LeaseLost =
  /** Claimed again, or ended without this attempt. */
  | { readonly type: 'superseded'; readonly epoch: number; readonly taskState: TaskState }
  | { readonly type: 'cancelled' }
  /** This attempt was settled before, in another way. */
  | { readonly type: 'settled'; readonly state: AttemptState }
  | { readonly type: 'unknownAttempt' };

export type Requeued = { readonly type: 'requeued'; readonly runAt: number } | { readonly type: 'dead' };

/** The slot belongs to another incarnation, or to none. */
export type NotThisWorker =
  | { readonly type: 'staleIncarnation'; readonly incarnation: number }
  | { readonly type: 'unknownWorker' };

/** Its lease is not that of the store, see `Outcomes.about`. Nothing was changed. */
export interface OtherLease {
  readonly type: 'otherLease';
  readonly leaseMs: number;
}

/** Every operation and its outcome; see `StoreOperations`. */
export interface Outcomes extends GrowthOutcomes {
  /** All of them or none. */
  addTasks:
    | { readonly type: 'added'; readonly tasks: readonly AddedTask[] }
    | { readonly type: 'refused'; readonly position: number; readonly problem: AddProblem; readonly reason: string };
  /** Changes a task, or adds dependencies, before it has ended: all of it or nothing. */
  amendTask:
    | { readonly type: 'amended'; readonly state: TaskState; readonly unmetDependencies: number }
    | { readonly type: 'unchanged'; readonly state: TaskState }
    | RefusedState
    | { readonly type: 'refused'; readonly reason: Exclude<AddProblem, 'invalid'>; readonly dependencyId: string }
    | { readonly type: 'refused'; readonly reason: 'invalid'; readonly problem: string }
    | { readonly type: 'unknownTask' };
  cancel: Changed;
  /** Back from `dead` or `cancelled`, counts at zero, epoch kept. */
  redrive: Changed;
  hold: Changed;
  unhold: Changed;
  limitQueue: Unchanged<'changed'>;
  pauseQueue: Unchanged<'changed'>;
  resumeQueue: Unchanged<'changed'>;

  claim: Claimed | ({ readonly type: 'empty' } & Readiness) | ({ readonly type: 'refused' } & ClaimRefusal);
  acknowledge: { readonly type: 'acknowledged' } | LeaseLost;
  /** The first order that applies, in this order. */
  heartbeat:
    | { readonly type: 'superseded'; readonly by: 'worker' | 'task' }
    | { readonly type: 'cancel' }
    | { readonly type: 'drain' }
    | { readonly type: 'pausedUntil'; readonly untilAt: number }
    | { readonly type: 'ok'; readonly deadlineAt: number | null };
  complete:
    | {
        readonly type: 'accepted';
        readonly taskState: 'done' | 'verifying';
        /** It had been given up, but not claimed again. */
        readonly late: boolean;
        /** The outcome of the claim in `next`. */
        readonly next?: ClaimOutcome;
      }
    | LeaseLost;
  /** Counts; dead after `maxFailures`, or when a budget is used up. */
  fail: Requeued | LeaseLost;
  /** Does not count as a failure; dead after `maxReleases`, so that work stays bounded. */
  release: Requeued | LeaseLost;
  extend:
    | { readonly type: 'extended'; readonly deadlineAt: number }
    /** Once per attempt. */
    | { readonly type: 'refused'; readonly reason: 'extendedBefore' | 'noDeadline' | 'overBudget' }
    | LeaseLost;
  takeVerification:
    | {
        readonly type: 'taken';
        readonly task: Task;
        readonly attempt: Attempt;
        readonly verifyEpoch: number;
        readonly untilAt: number;
      }
    | { readonly type: 'empty' };
  /** The heartbeat of a verifier. */
  renewVerification: { readonly type: 'renewed'; readonly untilAt: number } | { readonly type: 'superseded' };
  /** `superseded`: another verifier has it, or it is no longer being verified. */
  settleVerification: Requeued | { readonly type: 'done' | 'superseded' };

  /** Oldest first. Work without a change is not in it. */
  reviews: { readonly type: 'reviews'; readonly now: number; readonly reviews: readonly Review[] };
  changeReview:
    | { readonly type: 'changed'; readonly state: ReviewState }
    | { readonly type: 'refused'; readonly reason: 'state'; readonly state: ReviewState }
    /** It cannot go back to the queue: a task with its dedupe key has been added since. */
    | { readonly type: 'refused'; readonly reason: 'duplicate'; readonly existingId: string }
    | { readonly type: 'notLeading' }
    | { readonly type: 'unknownReview' };
  limitReviews: Unchanged<'changed'>;
  /** Queues with a limit, and how many of their attempts wait for a person. */
  reviewLimits: { readonly type: 'reviewLimits'; readonly limits: readonly ReviewLimit[] };

  /** Reserves the slot's next incarnation for a process that is about to start. */
  launch:
    | { readonly type: 'launching'; readonly incarnation: number; readonly launchUntil: number }
    | { readonly type: 'occupied'; readonly worker: Worker; readonly lease: Lease | null }
    | { readonly type: 'notLeading' };
  /** The process never registered, or ended. */
  endLaunch: Unchanged<'noted'>;
  registerWorker:
    | { readonly type: 'registered'; readonly incarnation: number }
    /** The slot's last incarnation still holds a task: confirm its death and reap it first. */
    | { readonly type: 'occupied'; readonly worker: Worker; readonly lease: Lease }
    | { readonly type: 'staleIncarnation'; readonly incarnation: number }
    | OtherLease;
  /** `sameReason`: the block before this one had the same reason. */
  updateWorker: { readonly type: 'updated'; readonly stopBlocks: number; readonly sameReason: boolean } | NotThisWorker;
  drainWorker: Unchanged<'draining'> | NotThisWorker;
  /** `holding`: it still has a task, to be settled first. */
  stopWorker: { readonly type: 'stopped' } | { readonly type: 'holding'; readonly lease: Lease } | NotThisWorker;
  reap:
    | { readonly type: 'alive'; readonly heartbeatAt: number }
    | { readonly type: 'suspect'; readonly dueAt: number }
    /** `unchanged`: it had already stopped or was lost. */
    | { readonly type: 'reaped'; readonly task: { readonly id: string; readonly state: TaskState } | null }
    | { readonly type: 'unchanged' }
    | NotThisWorker;
  /** Records that the process will not die and keeps its task. */
  deferReclaim: { readonly type: 'noted' } | NotThisWorker;
  /** Requeues offers that were not acknowledged in time; claims do this too. */
  expireOffers: { readonly type: 'expired'; readonly count: number };

  /** The later of the requested and the stored time counts; `resumeAccount` ends the pause earlier. */
  pauseAccount: { readonly type: 'paused'; readonly untilAt: number };
  resumeAccount: Unchanged<'resumed'>;
  lead:
    | { readonly type: 'leading'; readonly epoch: number; readonly untilAt: number }
    | { readonly type: 'following'; readonly holder: string; readonly epoch: number; readonly untilAt: number }
    | OtherLease;
  resign: Unchanged<'resigned'>;

  task:
    | { readonly type: 'found'; readonly task: TaskDetail }
    | { readonly type: 'ambiguous'; readonly ids: readonly string[] }
    | { readonly type: 'unknownTask' };
  listTasks: { readonly type: 'tasks'; readonly tasks: readonly Task[]; readonly next: string | null };
  counts: { readonly type: 'counts' } & TaskCounts;
  /** Oldest first. */
  attempts: { readonly type: 'attempts'; readonly attempts: readonly Attempt[] };
  /** `now` is the store's clock, to compute ages. */
  workers: { readonly type: 'workers'; readonly now: number; readonly workers: readonly Worker[] };
  /** Newest first. */
  launches: { readonly type: 'launches'; readonly now: number; readonly launches: readonly Launch[] };
  accounts: { readonly type: 'accounts'; readonly now: number; readonly accounts: readonly Account[] };
  /** Every limit of a queue, and every concurrency key of a task in progress. In progress means claimed or being verified. */
  limits: {
    readonly type: 'limits';
    readonly queues: readonly { readonly queue: string; readonly limit: number; readonly inProgress: number }[];
    readonly keys: readonly { readonly key: string; readonly inProgress: number }[];
  };

  /** What a claim would find, without claiming. */
  readiness: { readonly type: 'readiness' } & Readiness;
  /** `missed`: older events than these were removed by prune, so a follower that reads on from `after` may have missed some. */
  events: { readonly type: 'events'; readonly events: readonly StoreEvent[]; readonly missed: boolean };
  about: {
    readonly type: 'about';
    /** `sqlite` with its path, `postgres` with its host and database; no password. */
    readonly kind: 'sqlite' | 'postgres';
    readonly location: string;
    readonly now: number;
    readonly schemaVersion: number;
    /** Increased by each move to another store. */
    readonly generation: number;
    readonly movedTo: string | null;
    /** The locations that its tasks were moved away from, oldest first. */
    readonly movedFrom: readonly string[];
    /** How long a silent worker keeps its task; null until a worker or coordinator named one. */
    readonly leaseMs: number | null;
  };
}

export type OperationName = keyof Outcomes;

export type Outcome<Name extends OperationName> = Outcomes[Name] | Unavailable;

export type ClaimOutcome = Outcome<'claim'>;
export type CompleteOutcome = Outcome<'complete'>;
export type RequeueOutcome = Outcome<'release'>;

/** A request without a required field may be left out. */
type Arguments<Request> = string extends keyof Request
  ? [request?: object]
  : Partial<Request> extends Request
    ? [request?: Request]
    : [request: Request];

/**
 * Operations on tasks and workers: one object in, one outcome out, both plain JSON, so that an operation can run here, in a process
 * that shares the file, or in a database. Each is one transaction; its outcome is returned when it is durable. Only misuse throws:
 * external failures are `unavailable`.
 *
 * Each store has one clock; decisions never use the caller's. Execution is at least once, acceptance exactly once: a settlement
 * carries its lease, which is valid while its epoch is the task's latest.
 */
export type StoreOperations = {
  [Name in OperationName]: (...request: Arguments<Requests[Name]>) => Promise<Outcome<Name>>;
};
