import { describe, expect, it } from 'vitest';
import { ClaudeSpend } from './claudeSpend.ts';
import { whyTooMuch } from './watchSpend.ts';

const perToken = (model: string, { outputTokens }: { outputTokens: number }) =>
  model === 'dear' ? ({ type: 'usd', usd: outputTokens / 100 } as const) : ({ type: 'unknown' } as const);
const assistant = (id: string, output_tokens: number, model = 'dear') =>
  `${JSON.stringify({ type: 'assistant', message: { id, model, usage: { input_tokens: 5, output_tokens } } })}\n`;

describe('what Claude Code spends', () => {
  it('counts a message once, by its last line, however the stream is cut', () => {
    const spend = new ClaudeSpend(perToken);
    const text = `${assistant('a', 1) + assistant('a', 40)}not json\n[1]\n${assistant('b', 60)}`;
    for (const char of text) spend.push(char);
    expect(spend.spend).toEqual({ outputTokens: 100, usd: 1 });
  });

  it('says that a price is not known instead of nothing', () => {
    const spend = new ClaudeSpend(perToken);
    spend.push(assistant('a', 40) + assistant('b', 1, 'new-model'));
    expect(spend.spend).toEqual({ outputTokens: 41, usd: null });
  });

  it('believes the total of the result', () => {
    const spend = new ClaudeSpend(perToken);
    spend.push(`${assistant('a', 40)}${JSON.stringify({ type: 'result', total_cost_usd: 7 })}\n`);
    expect(spend.spend.usd).toBe(7);
  });

  it.each([
    [{}, null],
    [{ tokenBudget: 500 }, null],
    [{ tokenBudget: 499 }, 'it wrote 500 tokens of the 499 it had'],
    [{ maxBudgetUsd: 1.5 }, null],
    [{ maxBudgetUsd: 1 }, 'it spent $1.50 of the $1.00 it had'],
  ])('knows when it is too much: %o', (limits, reason) => {
    expect(whyTooMuch({ outputTokens: 500, usd: 1.5 }, limits)).toBe(reason);
  });
});
