import { isUnlanded } from '../../../launch/land/landingLease.ts';
import { UserError } from '../../../system/userError.ts';
import { available, type Review, type ReviewState, type Store } from '../../wiring/store/openedStore.ts';
import { findTask } from '../task/findTask.ts';

/** The latest work of a task, whatever was decided about it. */
export async function findReview(store: Store, id: string): Promise<Review> {
  const { id: taskId, status } = await findTask(store, id);
  const { reviews } = available(await store.reviews({ taskId, states: REVIEW_STATES }));
  const latest = reviews.toSorted((one, other) => one.epoch - other.epoch).at(-1);
  if (latest !== undefined) return latest;
  const why = status === 'done' ? 'it left no commits on a branch of its own' : `it is ${status}`;
  throw new UserError(`Task ${taskId} has nothing to review: ${why}.`);
}

/** One that can still be decided about. */
export async function findOpenReview(store: Store, id: string, states: readonly ReviewState[]): Promise<Review> {
  const review = await findReview(store, id);
  const decided = whyDecided(review, states);
  if (decided === null) return review;
  throw new UserError(decided);
}

/** Null for work in one of the states. */
export function whyDecided(review: Review, states: readonly ReviewState[]): string | null {
  const { taskId, state } = review;
  if (states.includes(state)) return null;
  const isInterrupted = state === 'landing' && isUnlanded(review);
  const next = state === 'accepted' || isInterrupted ? 'review land` lands it' : 'review` shows what waits';
  return `Task ${taskId} ${isInterrupted ? 'was accepted, and its landing was interrupted' : DECIDED[state]}; \`stopgate ${next}.`;
}

const DECIDED: Readonly<Record<ReviewState, string>> = {
  waiting: 'waits for review',
  returned: 'was returned',
  accepted: 'was accepted already',
  landing: 'is being landed',
  landed: 'has landed already',
  proposed: 'has a pull request already',
  rejected: 'was rejected already',
};

export const REVIEW_STATES = Object.keys(DECIDED) as readonly ReviewState[];
