import type * as claims from './claimTypes.ts';
import type { EventCursor, StoreEvent } from './event.ts';
import type { ExportedRow } from './exportedRow.ts';
import type * as tasks from './taskOperationTypes.ts';
import type { Unavailable } from './unavailable.ts';
import type * as workers from './workerOperationTypes.ts';

export type * from './attempt.ts';
export type * from './claimTypes.ts';
export type * from './event.ts';
export type * from './exportedRow.ts';
export type * from './task.ts';
export type * from './taskOperationTypes.ts';
export type { Unavailable } from './unavailable.ts';
export type * from './worker.ts';
export type * from './workerOperationTypes.ts';

/**
 * Operations on tasks and workers: one object in, one outcome out, both plain JSON, so that an operation can run here, in a process
 * that shares the file, or in a database. Each is one transaction; its outcome is returned when it is durable. Only misuse throws:
 * external failures are `unavailable`.
 *
 * Each store has one clock; decisions never use the caller's. Execution is at least once, acceptance exactly once: a settlement
 * carries its lease, which is valid while its epoch is the task's latest.
 */
export interface StoreOperations {
  addTasks(request: tasks.AddTasksRequest): Promise<tasks.AddTasksOutcome>;
  /** Changes the title or body, or adds dependencies, before the task has ended. */
  amendTask(request: tasks.AmendTaskRequest): Promise<tasks.AmendTaskOutcome>;
  cancel(request: tasks.ChangeTaskRequest): Promise<tasks.ChangeTaskOutcome>;
  /** Back from `dead` or `cancelled`, counts at zero, epoch kept. */
  redrive(request: tasks.ChangeTaskRequest): Promise<tasks.ChangeTaskOutcome>;
  hold(request: tasks.ChangeTaskRequest): Promise<tasks.ChangeTaskOutcome>;
  unhold(request: tasks.ChangeTaskRequest): Promise<tasks.ChangeTaskOutcome>;
  pauseQueue(request: tasks.PauseQueueRequest): Promise<tasks.PauseQueueOutcome>;
  resumeQueue(request: tasks.PauseQueueRequest): Promise<tasks.PauseQueueOutcome>;

  claim(request: claims.ClaimRequest): Promise<claims.ClaimOutcome>;
  acknowledge(request: claims.AcknowledgeRequest): Promise<claims.AcknowledgeOutcome>;
  heartbeat(request: claims.HeartbeatRequest): Promise<claims.HeartbeatOutcome>;
  complete(request: claims.CompleteRequest): Promise<claims.CompleteOutcome>;
  /** Counts; dead after `maxFailures`. */
  fail(request: claims.FailRequest): Promise<claims.RequeueOutcome>;
  /** Does not count as a failure; dead after `maxReleases`, so that work stays bounded. */
  release(request: claims.ReleaseRequest): Promise<claims.RequeueOutcome>;
  extend(request: claims.ExtendRequest): Promise<claims.ExtendOutcome>;
  takeVerification(request: claims.TakeVerificationRequest): Promise<claims.TakeVerificationOutcome>;
  settleVerification(request: claims.SettleVerificationRequest): Promise<claims.SettleVerificationOutcome>;

  /** Reserves the slot's next incarnation for a process that is about to start. */
  launch(request: workers.LaunchRequest): Promise<workers.LaunchOutcome>;
  /** The process never registered, or ended. */
  endLaunch(request: workers.EndLaunchRequest): Promise<{ readonly type: 'noted' | 'unchanged' } | Unavailable>;
  registerWorker(request: workers.RegisterRequest): Promise<workers.RegisterOutcome>;
  updateWorker(request: workers.UpdateWorkerRequest): Promise<workers.UpdateWorkerOutcome>;
  drainWorker(request: workers.DrainWorkerRequest): Promise<workers.DrainWorkerOutcome>;
  stopWorker(request: workers.StopWorkerRequest): Promise<workers.StopWorkerOutcome>;
  reap(request: workers.ReapRequest): Promise<workers.ReapOutcome>;
  /** Records that the process will not die and keeps its task. */
  deferReclaim(request: workers.DeferReclaimRequest): Promise<workers.DeferReclaimOutcome>;
  /** Requeues offers that were not acknowledged in time; claims do this too. */
  expireOffers(request?: object): Promise<{ readonly type: 'expired'; readonly count: number } | Unavailable>;

  pauseAccount(request: workers.PauseAccountRequest): Promise<workers.PauseAccountOutcome>;
  resumeAccount(request: { readonly key: string }): Promise<workers.ResumeAccountOutcome>;
  lead(request: workers.LeadRequest): Promise<workers.LeadOutcome>;
  resign(request: workers.ResignRequest): Promise<workers.ResignOutcome>;

  task(request: tasks.FindTaskRequest): Promise<tasks.FindTaskOutcome>;
  listTasks(request?: tasks.ListTasksRequest): Promise<tasks.ListTasksOutcome>;
  counts(request?: tasks.CountsRequest): Promise<tasks.CountsOutcome>;
  attempts(request: tasks.AttemptsRequest): Promise<tasks.AttemptsOutcome>;
  workers(request?: workers.WorkersRequest): Promise<workers.WorkersOutcome>;
  launches(request?: workers.LaunchesRequest): Promise<workers.LaunchesOutcome>;
  accounts(request?: object): Promise<workers.AccountsOutcome>;
  /** What a claim would find, without claiming. */
  readiness(request?: ReadinessRequest): Promise<ReadinessOutcome>;
  events(request?: EventsRequest): Promise<EventsOutcome>;
  about(request?: object): Promise<AboutOutcome>;
}

export interface Store extends StoreOperations, AsyncDisposable {
  /**
   * Resolves when a task may be ready, also when a delayed one is due; only a hint that saves polling: claim to find out. Never
   * rejects.
   */
  waitForWork(request: WaitForWorkRequest): Promise<WaitForWorkOutcome>;
  /** From now on every change returns `moved`, until `cancelMove`; reads continue. */
  startMove(request: { readonly to: string }): Promise<{ readonly type: 'moving' } | Unavailable>;
  cancelMove(request?: object): Promise<{ readonly type: 'cancelled' | 'unchanged' } | Unavailable>;
  /** Everything, in an order in which it can be imported. Throws `StoreUnavailableError` when it fails. */
  exportAll(): AsyncIterable<ExportedRow>;
  /** All or nothing, into an empty store; epochs and incarnations are kept, the generation is one higher. */
  importAll(rows: AsyncIterable<ExportedRow>): Promise<ImportOutcome>;
  close(): Promise<void>;
}

export interface ReadinessRequest {
  readonly queue?: string | undefined;
  readonly types?: readonly string[] | undefined;
}

export type ReadinessOutcome = ({ readonly type: 'readiness' } & claims.Readiness) | Unavailable;

export interface EventsRequest {
  /** The cursor of the last event seen; default: from the beginning. */
  readonly after?: EventCursor | undefined;
  readonly limit?: number | undefined;
  readonly taskId?: string | undefined;
  /** Newest first, backwards from `after`. */
  readonly newest?: boolean | undefined;
}

export type EventsOutcome = { readonly type: 'events'; readonly events: readonly StoreEvent[] } | Unavailable;

export type AboutOutcome =
  | {
      readonly type: 'about';
      /** `sqlite` with its path, `postgres` with its host and database; no password. */
      readonly kind: 'sqlite' | 'postgres';
      readonly location: string;
      readonly now: number;
      readonly schemaVersion: number;
      /** Increased by each move to another store. */
      readonly generation: number;
      readonly movedTo: string | null;
    }
  | Unavailable;

export interface WaitForWorkRequest extends ReadinessRequest {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type WaitForWorkOutcome = { readonly type: 'ready' | 'timedOut' | 'aborted' } | Unavailable;

export type ImportOutcome =
  | { readonly type: 'imported'; readonly rows: number; readonly generation: number }
  | { readonly type: 'refused'; readonly reason: 'notEmpty' }
  | Unavailable;
