import { describe, expect, it } from 'vitest';
import { whyTooMuch } from './watchSpend.ts';

describe('a limit', () => {
  it.each([
    [{}, null],
    [{ tokenBudget: 500 }, null],
    [{ tokenBudget: 499 }, 'it wrote 500 tokens of the 499 it had'],
    [{ maxBudgetUsd: 1.5 }, null],
    [{ maxBudgetUsd: 1 }, 'it spent $1.50 of the $1.00 it had'],
  ])('knows when it is too much: %o', (limits, reason) => {
    expect(whyTooMuch({ outputTokens: 500, usd: 1.5 }, limits)).toBe(reason);
  });

  it('marks a count that is an estimate', () => {
    const guess = { outputTokens: 500, usd: null, estimated: true } as const;
    expect(whyTooMuch(guess, { tokenBudget: 400 })).toBe('it wrote about 500 tokens of the 400 it had');
  });
});
