import { describe, expect, it } from 'vitest';
import { decideTokenBudget } from './promptBudget.ts';

describe('decideTokenBudget', () => {
  it.each<[string, number | null, { text: string; argument: string | undefined }, number | null, RegExp | undefined]>([
    ['the flag', 2_000, { text: 'x', argument: 'x' }, 2_000, /2\.0k output tokens, from --token-budget\./],
    ['the flag before words', 2_000, { text: '+9k x', argument: '+9k x' }, 2_000, /from --token-budget/],
    ['the argument', null, { text: 'x +5k', argument: 'x +5k' }, 5_000, /from the last words of the prompt \("\+5k"\)/],
    ['a piped end', null, { text: 'review\n+500k\n', argument: 'review' }, null, undefined],
    ['a piped start', null, { text: '+500k\nx', argument: undefined }, null, /piped text sets no budget/],
    ['words above piped text', null, { text: 'x +5k\n+500k', argument: 'x +5k' }, 5_000, /"\+5k"/],
    ['a diff as argument', null, { text: '@@ -1 @@\n+5k', argument: '@@ -1 @@\n+5k' }, null, /looks like a diff/],
    ['none', null, { text: 'x', argument: 'x' }, null, undefined],
  ])('%s', (_name, flag, given, tokens, sentence) => {
    const budget = decideTokenBudget(flag, given);
    expect(budget.tokens).toBe(tokens);
    if (sentence) expect(budget.sentence).toMatch(sentence);
    else expect(budget.sentence).toBeUndefined();
  });
});
