import type { Attempt } from './attempt.ts';
import type { NewTask, Task, TaskCounts, TaskDetail, TaskFilter, TaskState } from './task.ts';
import type { Unavailable } from './unavailable.ts';

export interface AddTasksRequest {
  readonly tasks: readonly NewTask[];
  readonly actor?: string | undefined;
}

/** All of them or none. */
export type AddTasksOutcome =
  | { readonly type: 'added'; readonly tasks: readonly AddedTask[] }
  | { readonly type: 'refused'; readonly position: number; readonly problem: AddProblem; readonly reason: string }
  | Unavailable;

/** In the order they were given. */
export interface AddedTask {
  readonly id: string;
  /** False when a task with this id or dedupe key was there already. */
  readonly created: boolean;
}

export type AddProblem = 'invalid' | 'unknownDependency' | 'failedDependency' | 'cycle';

export interface ChangeTaskRequest {
  readonly taskId: string;
  readonly reason?: string | undefined;
  readonly actor?: string | undefined;
}

export type ChangeTaskOutcome =
  | { readonly type: 'changed'; readonly state: TaskState }
  /** It is so already. */
  | { readonly type: 'unchanged'; readonly state: TaskState }
  | { readonly type: 'refused'; readonly reason: 'state'; readonly state: TaskState }
  /** A task with its dedupe key has been added since. */
  | { readonly type: 'refused'; readonly reason: 'duplicate'; readonly existingId: string }
  | { readonly type: 'unknownTask' }
  | Unavailable;

export interface FindTaskRequest {
  /** An id, or at least four characters of its beginning. */
  readonly id: string;
}

export type FindTaskOutcome =
  | { readonly type: 'found'; readonly task: TaskDetail }
  | { readonly type: 'ambiguous'; readonly ids: readonly string[] }
  | { readonly type: 'unknownTask' }
  | Unavailable;

export interface ListTasksRequest extends TaskFilter {
  readonly order?: 'oldest' | 'newest' | undefined;
  /** `next` of the page before. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

export type ListTasksOutcome =
  | { readonly type: 'tasks'; readonly tasks: readonly Task[]; readonly next: string | null }
  | Unavailable;

export interface CountsRequest {
  readonly queue?: string | undefined;
}

export type CountsOutcome = ({ readonly type: 'counts' } & TaskCounts) | Unavailable;

export interface AttemptsRequest {
  readonly taskId: string;
}

/** Oldest first. */
export type AttemptsOutcome = { readonly type: 'attempts'; readonly attempts: readonly Attempt[] } | Unavailable;

export interface PauseQueueRequest {
  readonly queue: string;
  readonly reason?: string | undefined;
  readonly actor?: string | undefined;
}

export type PauseQueueOutcome = { readonly type: 'changed' } | { readonly type: 'unchanged' } | Unavailable;
