import type { PlannedTask } from './requests.ts';

/**
 * A task waits (`queued`) until a worker claims it, is worked on (`claimed`), may be checked by a verifier
 * (`verifying`), and ends `done`, `dead` (too many failures, losses or releases, or a budget is used up) or `cancelled`. Only `redrive` leaves
 * an end again, from `dead` and `cancelled`. Every claim raises `epoch`, which never falls: a settlement needs the latest.
 */
export type TaskState = 'queued' | 'claimed' | 'verifying' | 'done' | 'dead' | 'cancelled';

/** Derived when it is read, never stored: time alone makes a delayed task ready. */
export type TaskStatus = Exclude<TaskState, 'queued'> | 'ready' | 'delayed' | 'blocked' | 'held';

/** When a dependency ends dead or cancelled, the task waits for a redrive, is cancelled too, or runs. */
type OnDependencyFailure = 'wait' | 'cancel' | 'run';

/** A task by id, or another one of the same batch by its `key` or its position, counted from 0. */
export type DependencyRef = string | { readonly key: string } | { readonly position: number };

/** Defaults are in `taskDefaults.ts`. */
export interface NewTask {
  readonly title: string;
  readonly body?: string | undefined;
  /** Chosen by the caller so that a repeated call adds nothing; default: random. */
  readonly id?: string | undefined;
  /** A name that other tasks of this batch can depend on. */
  readonly key?: string | undefined;
  readonly queue?: string | undefined;
  readonly type?: string | undefined;
  /** Lower first. */
  readonly priority?: number | undefined;
  /** From the store's clock. `runAt` is for times from outside; the later of both counts. */
  readonly delayMs?: number | undefined;
  readonly runAt?: number | undefined;
  readonly dependsOn?: readonly DependencyRef[] | undefined;
  readonly onDependencyFailure?: OnDependencyFailure | undefined;
  /** While a task with this key has not ended, adding another one returns the existing one. */
  readonly dedupeKey?: string | undefined;
  readonly parentId?: string | undefined;
  /** How many failed attempts, lost attempts and releases end it `dead`. */
  readonly maxFailures?: number | undefined;
  readonly maxReclaims?: number | undefined;
  readonly maxReleases?: number | undefined;
  /** Delay after the first failure or loss; doubled at each further one, with jitter. */
  readonly backoffMs?: number | undefined;
  /** Of one attempt. */
  readonly timeBudgetMs?: number | undefined;
  /** Of all attempts together; when one is used up, the task ends `dead`. Tokens are those that the agent wrote. */
  readonly totalTimeMs?: number | undefined;
  readonly costBudgetUsd?: number | undefined;
  readonly tokenBudget?: number | undefined;
  /**
   * Commands, one on a line, that its work has to pass after completion; such a task goes to `verifying` first. An empty text: it is
   * done when it is completed, whatever the project defines. Without one, the attempt decides (`details.verify`).
   */
  readonly verify?: string | undefined;
  readonly holdReason?: string | undefined;
  /** Where its code is: the URL of a git remote, without a password, or the absolute path of a local folder. Default: none. */
  readonly repository?: string | undefined;
  /** What its first attempt starts from: a branch, tag or commit of the repository. Default: the repository's HEAD. */
  readonly base?: string | undefined;
  /** Of the tasks with this key, in all queues, at most `concurrencyLimit` (default: 1) are in progress at the same time. */
  readonly concurrencyKey?: string | undefined;
  readonly concurrencyLimit?: number | undefined;
}

/** A planned task with its state and its counts. */
export interface Task extends Omit<PlannedTask, 'delayMs' | 'dependsOn' | 'onDependencyFailure'> {
  readonly state: TaskState;
  readonly status: TaskStatus;
  readonly unmetDependencies: number;
  readonly epoch: number;
  /** The latest claim's attempt; of a `done` task the accepted one. */
  readonly attemptId: string | null;
  readonly failures: number;
  readonly reclaims: number;
  readonly releases: number;
  /** Attempts up to this epoch do not count: it was redriven after them. */
  readonly countedFrom: number;
  readonly result: string | null;
  /** Who verifies it, since `updatedAt`; until `verifyUntil`, another verifier cannot take it. */
  readonly verifyHolder: string | null;
  readonly verifyUntil: number | null;
  readonly lastError: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface TaskDependency {
  readonly taskId: string;
  readonly state: TaskState;
  readonly onFailure: OnDependencyFailure;
  readonly met: boolean;
}

export interface TaskDetail extends Task {
  readonly dependsOn: readonly TaskDependency[];
}

export interface TaskCounts extends Readonly<Record<TaskStatus, number>> {
  /** When the next delayed task is due. */
  readonly nextDueAt: number | null;
}
