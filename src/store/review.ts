import type { Attempt } from './attempt.ts';
import type { Requests } from './requests.ts';
import type { Task } from './task.ts';

/**
 * The work of a task that is done `waiting`s for a person. Accepted work is in the landing queue (`accepted`), is merged and checked by
 * one process (`landing`), and is then on its target branch (`landed`), or comes back to the person with a reason (`returned`).
 * `proposed`: a command of the person opened a pull request for it. `rejected`: the person did not want it.
 */
export type ReviewState = Requests['changeReview']['to'];

/** How accepted work gets onto its target branch. */
export type LandingMethod = NonNullable<Requests['changeReview']['method']>;

/** Those that are over. */
export const SETTLED_REVIEWS: readonly ReviewState[] = ['landed', 'proposed', 'rejected'];

/** Those that a person has to look at. */
export const REVIEWABLE: readonly ReviewState[] = ['waiting', 'returned'];

/** Those in the landing queue. */
export const IN_LANDING: readonly ReviewState[] = ['accepted', 'landing'];

/** Of the leases of those that land, one per queue; repository and target follow. */
export const LANDING_LEASE = 'landing ';

export interface ReviewLimit {
  readonly queue: string;
  readonly limit: number;
  readonly waiting: number;
}

/**
 * The work of one attempt, from its completion until it is on a branch or not wanted. Of an attempt that continued another one,
 * `details.baseCommit` is where the first of them began: what lands is the work of all of them.
 */
export interface Review extends Pick<Attempt, 'taskId' | 'epoch' | 'details' | 'result' | 'startedAt' | 'endedAt'> {
  readonly attemptId: string;
  readonly state: ReviewState;
  readonly title: string;
  readonly queue: string;
  readonly verify: Task['verify'];
  /** Of the landing queue, from its acceptance on. */
  readonly repository: string | null;
  readonly target: string | null;
  readonly method: LandingMethod | null;
  /** What was accepted, whatever its branch points to later. */
  readonly reviewedCommit: string | null;
  /** What its checks accepted: on the target branch, or about to be. */
  readonly landedCommit: string | null;
  /** One sentence; of work that a red merge returned, the failing part after an empty line. */
  readonly reason: string | null;
  /** Where it goes when it cannot be landed; null: back to the person. */
  readonly returnTo: 'queue' | null;
  readonly actor: string | null;
  /** The process that has the right to land on its target now. */
  readonly landingHolder: string | null;
  /** Of the process that landed it. */
  readonly leaderEpoch: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}
