import { type BudgetTier, budgetTier, tierStarts } from './timeBudget.ts';

/** A launched agent's time, as stages for the launcher to act on: time is up at `endAt`, and it may land until `graceEndAt`. */
export interface LaunchPlan {
  /** In milliseconds, on whole seconds: the agent counts in seconds. */
  readonly endAt: number;
  readonly graceEndAt: number;
  readonly stages: readonly LaunchStage[];
}

export type LaunchStage =
  | { readonly type: 'tier'; readonly at: number; readonly tier: BudgetTier }
  | { readonly type: 'over'; readonly at: number };

export interface LaunchTimes {
  readonly startedAt: number;
  readonly budgetSeconds: number;
  readonly graceSeconds: number;
}

export function planLaunch({ startedAt, budgetSeconds, graceSeconds }: LaunchTimes): LaunchPlan {
  const endAt = (Math.floor(startedAt / 1000) + budgetSeconds) * 1000;
  const graceEndAt = endAt + graceSeconds * 1000;
  const whole = { totalSeconds: budgetSeconds };
  const first = budgetTier(budgetSeconds, whole);
  const { wrapUp, stopEditing } = tierStarts(whole);
  const starts: readonly (readonly [BudgetTier, number])[] = [
    ['wrapUp', wrapUp],
    ['stopEditing', stopEditing - 1],
  ];
  const tiers = starts.map(([tier, left]) => ({ type: 'tier' as const, tier, at: endAt - left * 1000 }));
  // a short budget starts in a later tier, and a few seconds leave no room for all of them
  const ahead = tiers.filter(({ tier, at }) => at > startedAt && at < endAt && tier !== first);
  const ending = [
    { type: 'tier', tier: 'expired', at: endAt },
    { type: 'over', at: graceEndAt },
  ] as const;
  return { endAt, graceEndAt, stages: [...ahead, ...ending] };
}

/** Enough to commit and report: a tenth of the budget, between 30 s and 2 min. */
export function defaultGraceSeconds(budgetSeconds: number): number {
  return Math.min(120, Math.max(30, Math.round(budgetSeconds / 10)));
}

/** The last part of a budget, in which only commits, tests and reads run: two minutes, but at most a quarter of it. */
export function lastStretchSeconds(budgetSeconds: number): number {
  return Math.min(120, Math.floor(budgetSeconds / 4));
}
