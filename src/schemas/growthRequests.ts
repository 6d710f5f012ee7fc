import * as z from 'zod';
import { keptOrNull, length, many, maybe, nothing, plannedTask, text, whole } from './storeFields.ts';

export const SCHEDULE_REQUESTS = {
  /** One of `cron` and `everyMs`; the caller computes due times, because calendars are not a store's business. */
  addSchedule: z.strictObject({
    id: text.regex(/^[\w.:-]{4,64}$/),
    cron: keptOrNull,
    everyMs: z.int().min(1_000).nullable(),
    timezone: keptOrNull,
    overlap: z.boolean(),
    nextDueAt: whole,
    task: plannedTask,
    actor: maybe,
  }),
  changeSchedule: z.strictObject({
    id: text,
    change: z.enum(['pause', 'resume', 'remove']),
    /** For `resume`: times that passed in between are not made up for. */
    nextDueAt: whole.optional(),
    actor: maybe,
  }),
  /** Adds the task of a due time, once: only the first call with the schedule's current `dueAt` does anything. */
  fireSchedule: z.strictObject({
    id: text,
    /** `nextDueAt` of the schedule as it was read. */
    dueAt: whole,
    /** The latest due time that has passed, which the task is for. */
    latestDueAt: whole,
    nextDueAt: whole,
    /** Due times that passed without a task. */
    missed: z.int().min(0),
    taskId: text.regex(/^[\w.:-]{4,64}$/),
    actor: maybe,
  }),
  schedules: z.strictObject({ dueOnly: z.boolean().optional() }),
};

const ended = z.strictObject({
  /** Ended at least this long ago. */
  olderThanMs: length,
  /** Tasks that ended dead, too. */
  dead: z.boolean().optional(),
  queue: maybe,
});

/** Removing what has ended. */
export const PRUNE_REQUESTS = {
  /** A page of the tasks that may be removed, oldest first; one that an unfinished task needs is not among them. */
  prunable: ended.extend({ after: maybe, limit: z.int().min(1).max(10_000).optional() }),
  /** Removes those of these tasks that may still be removed, with their attempts. */
  prune: ended.extend({ ids: many.max(1_000), actor: maybe }),
  /** Removes events of tasks that are gone, and of workers, among the next `limit` old events. */
  trimEvents: z.strictObject({
    olderThanMs: length,
    /** `next` of the batch before. */
    after: maybe,
    limit: z.int().min(1).max(10_000),
    dryRun: z.boolean().optional(),
  }),
  /** Records what a whole run removed. */
  notePruned: z.strictObject({
    tasks: whole,
    attempts: whole,
    events: whole,
    olderThanMs: length,
    isPolicy: z.boolean(),
    actor: maybe,
  }),
  /** Null turns it off. */
  setPolicy: z.strictObject({ keepDoneMs: length.nullable(), dead: z.boolean().optional(), actor: maybe }),
  policy: nothing,
  /** How long a silent worker keeps its task, on all machines of the store. */
  setLease: z.strictObject({ leaseMs: whole.min(1), actor: maybe }),
  /** True for one caller per interval: automatic runs of several processes must not overlap. */
  takePolicyTurn: z.strictObject({ everyMs: length }),
};
