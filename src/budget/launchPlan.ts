import { type BudgetTier, budgetTier, tierStarts } from './timeBudget.ts';

/**
 * A launched agent's time, as moments that somebody has to act on. It is told that time is over at `endAt` and may land
 * until `graceEndAt`; then it is ended. What happens at each moment is the launcher's business.
 */
export interface LaunchPlan {
  /** In milliseconds, on whole seconds: the agent is told in seconds. */
  readonly endAt: number;
  readonly graceEndAt: number;
  readonly moments: readonly LaunchMoment[];
}

export type LaunchMoment =
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
  // a short budget begins inside a later tier, and one of seconds has no time for all of them
  const ahead = tiers.filter(({ tier, at }) => at > startedAt && at < endAt && tier !== first);
  const ending = [
    { type: 'tier', tier: 'expired', at: endAt },
    { type: 'over', at: graceEndAt },
  ] as const;
  return { endAt, graceEndAt, moments: [...ahead, ...ending] };
}

/** Long enough to commit and to say what was done; a tenth of the time, but no less than 30 s and no more than 2 min. */
export function defaultGraceSeconds(budgetSeconds: number): number {
  return Math.min(120, Math.max(30, Math.round(budgetSeconds / 10)));
}

/** The end of a budget in which only commits, tests and reads run: two minutes, but at most a quarter of it. */
export function lastStretchSeconds(budgetSeconds: number): number {
  return Math.min(120, Math.floor(budgetSeconds / 4));
}
