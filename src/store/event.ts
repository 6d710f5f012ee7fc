/** Every change is recorded once, in the transaction that makes it. */
export type EventKind =
  | 'task.added'
  | 'task.claimed'
  | 'task.offered'
  | 'task.acknowledged'
  | 'task.completed'
  | 'task.verified'
  | 'task.rejected'
  | 'task.reviewed'
  | 'task.reopened'
  | 'task.failed'
  | 'task.released'
  | 'task.lost'
  | 'task.offerExpired'
  | 'task.amended'
  | 'task.cancelled'
  | 'task.redriven'
  | 'task.held'
  | 'task.unheld'
  | 'task.dependencyMet'
  | 'task.dependencyUnmet'
  | 'task.late'
  | 'attempt.checkpoint'
  | 'attempt.extended'
  | 'verification.taken'
  | 'worker.launching'
  | 'worker.registered'
  | 'worker.updated'
  | 'worker.draining'
  | 'worker.stopped'
  | 'worker.suspect'
  | 'worker.recovered'
  | 'worker.lost'
  | 'worker.reclaimDeferred'
  | 'worker.stopBlocked'
  | 'worker.stopBlocksCleared'
  | 'account.paused'
  | 'account.resumed'
  | 'queue.paused'
  | 'queue.resumed'
  | 'queue.reviewsLimited'
  | 'queue.limited'
  | 'schedule.added'
  | 'schedule.paused'
  | 'schedule.resumed'
  | 'schedule.removed'
  | 'schedule.fired'
  | 'schedule.skipped'
  | 'leader.elected'
  | 'leader.resigned'
  | 'store.moved'
  | 'store.moveCancelled'
  | 'store.imported'
  | 'store.pruned'
  | 'store.policySet'
  | 'store.leaseSet';

/** Opaque; orders events as they were committed, also with several concurrent writers. */
type EventCursor = string;

export interface StoreEvent {
  readonly cursor: EventCursor;
  readonly at: number;
  readonly kind: EventKind;
  readonly taskId: string | null;
  readonly attemptId: string | null;
  readonly workerId: string | null;
  readonly epoch: number | null;
  /** Who did it, if not the worker itself. */
  readonly actor: string | null;
  /** What changed, enough to rebuild the changing columns of the tables. */
  readonly data: Readonly<Record<string, string | number | boolean | null>>;
}
