import { describe, expect, it } from 'vitest';
import { defaultGraceSeconds, type LaunchStage, lastStretchSeconds, planLaunch } from './launchPlan.ts';
import { budgetTier } from './timeBudget.ts';

const START = Date.UTC(2026, 10, 15, 12, 0, 0);
const words = (stages: readonly LaunchStage[]) =>
  stages.map((stage) => `${stage.type === 'tier' ? stage.tier : 'over'} +${(stage.at - START) / 1000}`);

describe('planLaunch', () => {
  it.each([
    [1200, 60, ['wrapUp +900', 'stopEditing +1081', 'expired +1200', 'over +1260']],
    [301, 60, ['wrapUp +1', 'stopEditing +182', 'expired +301', 'over +361']],
    [300, 30, ['stopEditing +181', 'expired +300', 'over +330']],
    [240, 30, ['stopEditing +121', 'expired +240', 'over +270']],
    [60, 30, ['wrapUp +30', 'stopEditing +46', 'expired +60', 'over +90']],
    [4, 2, ['wrapUp +2', 'expired +4', 'over +6']],
    [1, 0, ['expired +1', 'over +1']],
  ])('%i s and %i s of grace', (budgetSeconds, graceSeconds, expected) => {
    expect(words(planLaunch({ startedAt: START, budgetSeconds, graceSeconds }).stages)).toEqual(expected);
  });

  it.each([1200, 240, 200, 60, 5])('of %i s changes tier exactly when the countdown does', (budgetSeconds) => {
    const { stages, endAt } = planLaunch({ startedAt: START, budgetSeconds, graceSeconds: 60 });
    for (const stage of stages) {
      if (stage.type !== 'tier') continue;
      const left = (endAt - stage.at) / 1000;
      const tiers = [left, left + 1].map((seconds) => budgetTier(seconds, { totalSeconds: budgetSeconds }));
      expect(tiers).toEqual([stage.tier, expect.not.stringMatching(stage.tier)]);
    }
  });

  it('ends on a whole second, never later than requested', () => {
    expect(planLaunch({ startedAt: START + 999, budgetSeconds: 60, graceSeconds: 30 }).endAt).toBe(START + 60_000);
  });
});

it.each([
  [60, 30],
  [600, 60],
  [7200, 120],
])('a budget of %i s has a grace of %i s', (budget, grace) => {
  expect(defaultGraceSeconds(budget)).toBe(grace);
});

it.each([
  [60, 15],
  [480, 120],
  [7200, 120],
])('a budget of %i s has a last stretch of %i s', (budget, stretch) => {
  expect(lastStretchSeconds(budget)).toBe(stretch);
});
