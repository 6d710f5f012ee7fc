import type { Attempt } from './attempt.ts';
import type { Schedule } from './schedule.ts';
import type { TaskState } from './task.ts';

export type Unchanged<Type extends string> = { readonly type: Type | 'unchanged' };

/** Of operations on recurring tasks, and of those that remove what has ended. */
export interface GrowthOutcomes {
  addSchedule: { readonly type: 'added' } | { readonly type: 'unchanged' };
  changeSchedule: Unchanged<'changed'> | { readonly type: 'unknownSchedule' };
  fireSchedule:
    | { readonly type: 'fired'; readonly taskId: string }
    /** The task of the due time before has not ended. */
    | { readonly type: 'skipped'; readonly unfinishedId: string }
    /** Another process fired it, or it is not due, paused or gone. */
    | { readonly type: 'superseded' };
  schedules: {
    readonly type: 'schedules';
    readonly now: number;
    readonly schedules: readonly Schedule[];
    /** Of all schedules that are not paused. */
    readonly nextDueAt: number | null;
  };

  prunable: {
    readonly type: 'prunable';
    readonly tasks: readonly PrunableTask[];
    /** Of the next page; null after the last one. */
    readonly next: string | null;
  };
  prune: { readonly type: 'pruned'; readonly ids: readonly string[]; readonly attempts: number };
  trimEvents: { readonly type: 'trimmed'; readonly count: number; readonly next: string | null };
  notePruned: { readonly type: 'noted' };
  setPolicy: Unchanged<'changed'>;
  policy: { readonly type: 'policy'; readonly now: number } & PrunePolicy;
  setLease:
    | Unchanged<'changed'>
    /** These run with the one that is recorded. */
    | {
        readonly type: 'refused';
        readonly leaseMs: number | null;
        readonly workers: readonly string[];
        readonly fleets: readonly string[];
      };
  takePolicyTurn: { readonly type: 'yours' } | { readonly type: 'notNow' };
}

/** A task that may be removed, and what its attempts left outside of the store. */
export interface PrunableTask {
  readonly id: string;
  readonly title: string;
  readonly state: TaskState;
  readonly updatedAt: number;
  readonly epoch: number;
  readonly attempts: number;
  /** As old as the task has to be. */
  readonly events: number;
  /** Of its attempts, oldest first; only what may have left something. */
  readonly left: readonly (Pick<Attempt, 'epoch'> & Pick<Attempt['details'], 'branch' | 'worktree' | 'wipRef'>)[];
}

/** What workers and coordinators of a store remove now and then. */
export interface PrunePolicy {
  /** Null: nothing. */
  readonly keepDoneMs: number | null;
  readonly dead: boolean;
  readonly lastRunAt: number | null;
}
