import type { PlannedTask } from './requests.ts';

/** Adds a task at each due time, by the clock of its store. */
export interface Schedule {
  readonly id: string;
  /** One of the two is set. */
  readonly cron: string | null;
  readonly everyMs: number | null;
  /** Of `cron`; null: UTC. */
  readonly timezone: string | null;
  /** Its `id` is not used. */
  readonly task: PlannedTask;
  /** False: a due time is skipped while the task of the one before has not ended. */
  readonly overlap: boolean;
  readonly createdAt: number;
  readonly pausedAt: number | null;
  readonly nextDueAt: number;
  readonly lastDueAt: number | null;
  readonly lastTaskId: string | null;
  readonly fired: number;
  /** Due times without a task, because no process of the fleet was there. */
  readonly missed: number;
  /** Due times without a task, because the one before was unfinished. */
  readonly skipped: number;
}
