import type { AttemptDetails } from '../../attempt.ts';
import { type Budgets, leftOf, timeLimitOf, usedBy, whyOverBudget } from '../../budgets.ts';
import type { Task } from '../../task.ts';
import { type HeldTask, spentBy } from '../attemptRows.ts';
import type { Tables } from '../tables.ts';

/** How long an attempt may take: its own limit, or what is left of all of them. */
export function timeLimit(tables: Tables, seq: number, task: Budgets & Pick<Task, 'timeBudgetMs'>): number | null {
  return timeLimitOf(task.timeBudgetMs, timeLeft(tables, seq, task));
}

/** What is left of the time of all attempts; null without a limit. */
export function timeLeft(tables: Tables, seq: number, task: Budgets): number | null {
  return task.totalTimeMs === null ? null : leftOf(task, usedBy(spentBy(tables, seq), task)).ms;
}

interface NewSpend {
  readonly details: AttemptDetails | undefined;
  readonly isLost: boolean;
}

/** The error of a task that has used up a budget, with what its attempt reports now; null when it has not. */
export function overBudget(tables: Tables, held: HeldTask, { details, isLost }: NewSpend): string | null {
  if (held.totalTimeMs === null && held.tokenBudget === null && held.costBudgetUsd === null) return null;
  const attempts = spentBy(tables, held.taskSeq).map((one) =>
    one.epoch === held.epoch
      ? { ...one, details: { ...one.details, ...details }, state: isLost ? ('lost' as const) : one.state }
      : one,
  );
  return whyOverBudget(held, usedBy(attempts, held, tables.now));
}
