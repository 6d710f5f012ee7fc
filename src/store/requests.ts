import type * as z from 'zod';
import type { STORE_REQUESTS } from '../schemas/storeRequests.ts';
import type { NewTask } from './newTask.ts';

type Fixed<Value> = Value extends object ? { readonly [Name in keyof Value]: Fixed<Value[Name]> } : Value;

/** Requests between processes: as their schemas read them. */
export type SentRequests = {
  readonly [Name in keyof typeof STORE_REQUESTS]: Fixed<z.output<(typeof STORE_REQUESTS)[Name]>>;
};

/** A new task with ids for names and defaults for gaps. Plain JSON for both stores. */
export type PlannedTask = SentRequests['addTasks']['tasks'][number];

/** Requests of callers: new tasks are not planned yet. */
export interface Requests extends Omit<SentRequests, 'addTasks'> {
  readonly addTasks: { readonly tasks: readonly NewTask[]; readonly actor?: string | undefined };
}

/**
 * Why a task is released without a failure. `rate_limited`, `unserved` and `drained` are not the task's fault and do not count; every
 * other reason counts as a release (`releaseCounts.ts`).
 */
export type ReleaseReason = Requests['release']['reason'];
