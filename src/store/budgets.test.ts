import { expect, it } from 'vitest';
import type { AttemptState } from './attempt.ts';
import { type Budgets, leftOf, timeLimitOf, type Used, usedBy, whyOverBudget } from './budgets.ts';

const NONE: Budgets = { totalTimeMs: null, tokenBudget: null, costBudgetUsd: null, countedFrom: 0 };
const spent = (epoch: number, state: AttemptState, ms: number | null, details = {}) => ({
  ...{ epoch, state, details, startedAt: 1_000 },
  endedAt: ms === null ? null : 1_000 + ms,
});

it('adds up what counts: no time of lost attempts, nothing from before a redrive', () => {
  const attempts = [
    spent(1, 'failed', 9_000, { tokens: 900, costUsd: 9 }),
    spent(2, 'released', 2_000, { tokens: 10 }),
    spent(3, 'lost', 60_000, { tokens: 5, costUsd: 0.5 }),
    spent(4, 'active', null, { costUsd: 0.25 }),
  ];
  expect(usedBy(attempts, { ...NONE, countedFrom: 1 })).toEqual({ ms: 2_000, tokens: 15, usd: 0.75 });
  expect(usedBy(attempts, { ...NONE, countedFrom: 1 }, 4_000)).toEqual({ ms: 5_000, tokens: 15, usd: 0.75 });
});

it.each<[Partial<Budgets>, Partial<Used>, string | null]>([
  [{}, { ms: 1e9, tokens: 1e9, usd: 1e9 }, null],
  [{ totalTimeMs: 2_000 }, { ms: 1_999 }, null],
  [{ totalTimeMs: 2_000 }, { ms: 2_999 }, '3s of 2s'],
  [{ totalTimeMs: 90_000 }, { ms: 3 * 3_600_000 + 300_000 }, '3h05m of 1m30s'],
  [{ tokenBudget: 100 }, { tokens: 100 }, '100 of 100 tokens'],
  [{ costBudgetUsd: 2 }, { usd: 1.999 }, null],
  [{ costBudgetUsd: 2 }, { usd: 10.005 }, '$10.01 of $2.00'],
  [{ costBudgetUsd: 0.125 }, { usd: 0.125 }, '$0.13 of $0.13'],
])('with %j and %j used: %s', (budgets, used, expected) => {
  const sentence = expected === null ? null : `Its budget is used up: ${expected}, over all attempts.`;
  expect(whyOverBudget({ ...NONE, ...budgets }, { ms: 0, tokens: 0, usd: 0, ...used })).toBe(sentence);
});

it('leaves no less than nothing, and limits an attempt by the smaller of both', () => {
  const budgets = { ...NONE, totalTimeMs: 1_000, costBudgetUsd: 2 };
  expect(leftOf(budgets, { ms: 1_500, tokens: 7, usd: 0.5 })).toEqual({ ms: 0, tokens: null, usd: 1.5 });
  expect([timeLimitOf(null, null), timeLimitOf(5, null), timeLimitOf(null, 3), timeLimitOf(5, 3)]).toEqual([
    null,
    5,
    3,
    3,
  ]);
});
