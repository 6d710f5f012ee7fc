import type { OnDependencyFailure } from './newTask.ts';
import type { PlannedTask } from './requests.ts';

/**
 * A task waits (`queued`) until a worker claims it, is worked on (`claimed`), may be checked by a verifier
 * (`verifying`), and ends `done`, `dead` (too many failures, losses or releases, or a budget is used up) or `cancelled`. Only `redrive` leaves
 * an end again, from `dead` and `cancelled`. Every claim raises `epoch`, which never falls: a settlement needs the latest.
 */
export type TaskState = 'queued' | 'claimed' | 'verifying' | 'done' | 'dead' | 'cancelled';

/** Derived when it is read, never stored: time alone makes a delayed task ready. */
export type TaskStatus = Exclude<TaskState, 'queued'> | 'ready' | 'delayed' | 'blocked' | 'held';

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
