import type { Requests } from './requests.ts';

/**
 * One claim of one task by one worker. `offered` until the worker acknowledges it, then `active`; every other state is an
 * end. `succeeded`, `failed`, `released`, `rate_limited` and `timed_out` are reported by the worker or its supervisor, `lost`
 * by a reaper, `cancelled` by a person. `superseded` is an attempt whose result came after a newer claim.
 */
export type AttemptState =
  | 'offered'
  | 'active'
  | 'succeeded'
  | 'failed'
  | 'released'
  | 'rate_limited'
  | 'timed_out'
  | 'lost'
  | 'superseded'
  | 'cancelled';

/** The proof that a worker still holds a task; every settlement carries it. Its `attemptId` is the claim key. */
export type Lease = Requests['complete']['lease'];

/** Where the work of an attempt is and what it cost; later values replace earlier ones field by field. */
export type AttemptDetails = NonNullable<Requests['complete']['details']>;

export interface Attempt extends Omit<Lease, 'attemptId'> {
  readonly id: string;
  readonly state: AttemptState;
  readonly offeredAt: number | null;
  /** When an offer expires that was not acknowledged. */
  readonly offerUntil: number | null;
  readonly claimedAt: number;
  /** When the worker acknowledged it. */
  readonly startedAt: number | null;
  readonly deadlineAt: number | null;
  readonly extendedMs: number;
  readonly endedAt: number | null;
  /** Why it ended: a keyword of the operation that ended it. */
  readonly outcome: string | null;
  readonly countsAsFailure: boolean;
  readonly checkpoint: string | null;
  readonly checkpointAt: number | null;
  readonly details: AttemptDetails;
  readonly result: string | null;
  /** A result that was refused because the task had moved on; kept so that a person can adopt it. */
  readonly lateResult: string | null;
  readonly error: string | null;
}

type HandedOn = 'epoch' | 'state' | 'outcome' | 'error' | 'checkpoint' | 'checkpointAt' | 'details' | 'endedAt';

/** What the next attempt should know about the previous one. */
export interface PreviousAttempt extends Pick<Attempt, HandedOn> {
  readonly attemptId: string;
}
