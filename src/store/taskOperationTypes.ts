import type { Attempt } from './attempt.ts';
import type { NewTask, OnDependencyFailure, Task, TaskCounts, TaskDetail, TaskFilter, TaskState } from './task.ts';
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
  /** False when a task with this id or dedupe key already existed. */
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
  | { readonly type: 'unchanged'; readonly state: TaskState }
  | { readonly type: 'refused'; readonly reason: 'state'; readonly state: TaskState }
  /** A task with its dedupe key has been added since. */
  | { readonly type: 'refused'; readonly reason: 'duplicate'; readonly existingId: string }
  | { readonly type: 'unknownTask' }
  | Unavailable;

export interface AmendTaskRequest {
  readonly taskId: string;
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  /** Ids of additional tasks that must be done first. Only while no worker has it. */
  readonly addDependsOn?: readonly string[] | undefined;
  /** For the added ones. */
  readonly onDependencyFailure?: OnDependencyFailure | undefined;
  readonly actor?: string | undefined;
}

/** All of it or nothing. */
export type AmendTaskOutcome =
  | { readonly type: 'amended'; readonly state: TaskState; readonly unmetDependencies: number }
  | { readonly type: 'unchanged'; readonly state: TaskState }
  | { readonly type: 'refused'; readonly reason: 'state'; readonly state: TaskState }
  | { readonly type: 'refused'; readonly reason: DependencyProblem; readonly dependencyId: string }
  | { readonly type: 'refused'; readonly reason: 'invalid'; readonly problem: string }
  | { readonly type: 'unknownTask' }
  | Unavailable;

type DependencyProblem = Exclude<AddProblem, 'invalid'>;

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
  /** `next` of the previous page. */
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

export type PauseQueueOutcome = { readonly type: 'changed' | 'unchanged' } | Unavailable;
