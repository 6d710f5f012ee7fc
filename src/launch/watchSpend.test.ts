import { describe, expect, it } from 'vitest';
import { ClaudeSpend } from '../hosts/claudeCode/claudeSpend.ts';
import { watchSpend, whyTooMuch } from './watchSpend.ts';

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

// as in a recorded run of Claude Code 2.1.325 with a background shell: one result before its end, one after
const line = (event: object) => `${JSON.stringify(event)}\n`;
const delta = (id: string, output_tokens: number) =>
  line({
    type: 'stream_event',
    event: { type: 'message_start', message: { id, model: 'claude-sonnet-4-5', usage: { output_tokens: 1 } } },
    parent_tool_use_id: null,
  }) +
  line({
    type: 'stream_event',
    event: { type: 'message_delta', delta: {}, usage: { output_tokens } },
    parent_tool_use_id: null,
  });
const result = (costUSD: number, outputTokens: number) =>
  line({
    type: 'result',
    subtype: 'success',
    total_cost_usd: costUSD,
    modelUsage: { 'claude-sonnet-4-5': { outputTokens, costUSD } },
    model_usage_since_last_result: { 'claude-sonnet-4-5': { outputTokens, costUSD } },
  });

it('sees what is spent between two results, and ends the agent there', () => {
  const reasons: string[] = [];
  const watch = watchSpend({
    command: { spend: { in: 'output', reader: (costOf) => new ClaudeSpend(costOf) } },
    request: { maxBudgetUsd: 0.1 },
    spendFile: '',
    env: {},
    stop: (reason) => reasons.push(reason),
  });
  watch.push(delta('one', 1_000) + result(0.015, 1_000));
  expect(reasons).toEqual([]);
  watch.push(delta('two', 10_000));
  expect(reasons).toEqual(['it spent $0.165 of the $0.10 it had']);
});
