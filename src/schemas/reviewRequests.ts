import * as z from 'zod';
import { count, kept, leadership, maybe, text, whole } from './storeFields.ts';

const reviewState = z.enum(['waiting', 'accepted', 'landing', 'landed', 'proposed', 'rejected', 'returned']);

export const REVIEW_REQUESTS = {
  /** Default: those that wait for a person or for the landing queue. */
  reviews: z.strictObject({
    states: z.array(reviewState).optional(),
    queue: maybe,
    taskId: maybe,
    repository: maybe,
    target: maybe,
    limit: z.int().min(0).optional(),
  }),
  /** A field that is left out stays; null empties it. */
  changeReview: z.strictObject({
    taskId: text,
    /** Of the attempt. */
    epoch: whole,
    /** Refused in any other state: another person or queue was faster. */
    from: z.array(reviewState),
    to: reviewState,
    repository: text.nullish(),
    target: text.nullish(),
    method: z.enum(['merge', 'rebase', 'squash']).nullish(),
    reviewedCommit: text.nullish(),
    landedCommit: text.nullish(),
    reason: kept.nullish(),
    /** `queue`: work that cannot be landed goes back to the queue, instead of to the person. */
    returnTo: z.literal('queue').nullish(),
    /** With `rejected`: the task goes back to the queue, with the reason and these notes for its next attempt. */
    requeue: z.strictObject({ notes: kept }).optional(),
    /** Refused unless this process leads the landing queue now. */
    leader: leadership.optional(),
    actor: maybe,
  }),
  /** Null: as many as there are. */
  limitReviews: z.strictObject({ queue: text, limit: count.nullable(), actor: maybe }),
  reviewLimits: z.strictObject({ queue: maybe }),
};
