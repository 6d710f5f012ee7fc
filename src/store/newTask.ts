/** When a dependency ends dead or cancelled, the task waits for a redrive, is cancelled too, or runs. */
export type OnDependencyFailure = 'wait' | 'cancel' | 'run';

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
  /** What a model decides by whether the work does what was asked, after what it has to pass has passed. */
  readonly judge?: string | undefined;
  readonly holdReason?: string | undefined;
  /** Where its code is: the URL of a git remote, without a password, or the absolute path of a local folder. Default: none. */
  readonly repository?: string | undefined;
  /** What its first attempt starts from: a branch, tag or commit of the repository. Default: the repository's HEAD. */
  readonly base?: string | undefined;
  /** Of the tasks with this key, in all queues, at most `concurrencyLimit` (default: 1) are in progress at the same time. */
  readonly concurrencyKey?: string | undefined;
  readonly concurrencyLimit?: number | undefined;
}
