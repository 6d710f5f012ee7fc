import { formatSeconds } from '../system/formatDuration.ts';
import type { Attempt } from './attempt.ts';
import type { Task } from './task.ts';

export type Budgets = Pick<Task, 'totalTimeMs' | 'tokenBudget' | 'costBudgetUsd' | 'countedFrom'>;

type SpentAttempt = Pick<Attempt, 'epoch' | 'state' | 'startedAt' | 'endedAt' | 'details'>;

/** What the attempts of a task and their judges have used together, since it was added or redriven. */
export interface Used {
  readonly ms: number;
  readonly tokens: number;
  readonly usd: number;
}

/**
 * The same sums as `used_by` in postgres/sql/budgets.sql. How long a lost attempt was really worked on is not known, so its time does
 * not count; losses have a limit of their own. `now` is the end of an attempt that has not ended; without it, that one has used no time.
 */
export function usedBy(attempts: readonly SpentAttempt[], { countedFrom }: Budgets, now?: number): Used {
  const used = { ms: 0, tokens: 0, usd: 0 };
  for (const { epoch, state, startedAt, endedAt, details } of attempts) {
    if (epoch <= countedFrom) continue;
    const until = endedAt ?? now ?? startedAt;
    if (state !== 'lost' && startedAt !== null && until !== null) used.ms += until - startedAt;
    used.tokens += (details.tokens ?? 0) + (details.judge?.outputTokens ?? 0);
    used.usd += (details.costUsd ?? 0) + (details.judge?.costUsd ?? 0);
  }
  return used;
}

/** What is left of a budget for another attempt; null without one. */
export function leftOf({ totalTimeMs, tokenBudget, costBudgetUsd }: Budgets, used: Used) {
  return {
    ms: totalTimeMs === null ? null : Math.max(0, totalTimeMs - used.ms),
    tokens: tokenBudget === null ? null : Math.max(0, tokenBudget - used.tokens),
    usd: costBudgetUsd === null ? null : Math.max(0, costBudgetUsd - used.usd),
  };
}

/** The error of a task that has used up a budget; null when it has not. The same as `over_budget` in postgres/sql/budgets.sql. */
export function whyOverBudget(budgets: Budgets, used: Used): string | null {
  const { totalTimeMs, tokenBudget, costBudgetUsd } = budgets;
  if (totalTimeMs !== null && used.ms >= totalTimeMs)
    return usedUp(`${formatSeconds(used.ms)} of ${formatSeconds(totalTimeMs)}`);
  if (tokenBudget !== null && used.tokens >= tokenBudget) return usedUp(`${used.tokens} of ${tokenBudget} tokens`);
  if (costBudgetUsd !== null && used.usd >= costBudgetUsd)
    return usedUp(`${dollars(used.usd)} of ${dollars(costBudgetUsd)}`);
  return null;
}

/** How every such sentence begins. */
export const USED_UP = 'Its budget is used up';

const usedUp = (what: string) => `${USED_UP}: ${what}, over all attempts.`;

/** By the same steps as in SQL: formats of numbers round differently. */
function dollars(usd: number): string {
  const cents = Math.floor(usd * 100 + 0.5);
  return `$${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** How long an attempt may take: its own limit, or what is left of all of them. */
export function timeLimitOf(timeBudgetMs: number | null, leftMs: number | null): number | null {
  if (leftMs === null) return timeBudgetMs;
  return timeBudgetMs === null ? leftMs : Math.min(timeBudgetMs, leftMs);
}
