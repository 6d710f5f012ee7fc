import { describe, expect, it } from 'vitest';
import {
  type BudgetTracker,
  checkTokenBudget,
  createBudgetTracker,
  getBudgetContinuationMessage,
  parseTokenAmount,
  parseTokenBudget,
} from './tokenBudget.ts';

const tracker = (some: Partial<BudgetTracker> = {}): BudgetTracker => ({ ...createBudgetTracker(1_000), ...some });
const check = (some: Partial<BudgetTracker>, budget: number | null, tokens: number, agentId?: string) =>
  checkTokenBudget(tracker(some), agentId, budget, tokens, 5_000);
const NOTHING = { action: 'stop', completionEvent: null };

describe('checkTokenBudget', () => {
  it.each<[string, number | null, string | undefined]>([
    ['no budget', null, undefined],
    ['zero', 0, undefined],
    ['a negative one', -5, undefined],
    ['a subagent', 100_000, 'agent-1'],
  ])('%s: stop without a completion event', (_name, budget, agentId) => {
    expect(checkTokenBudget(tracker(), agentId, budget, 10)).toEqual(NOTHING);
  });

  it.each([
    [0, 'continue', 0],
    [500, 'continue', 1],
    [89_999, 'continue', 90],
    [90_000, 'stop', undefined],
    [100_000, 'stop', undefined],
    [250_000, 'stop', undefined],
  ])('with %d of 100k tokens used and no continuation yet: %s', (tokens, action, pct) => {
    const decision = check({}, 100_000, tokens);
    expect(decision.action).toBe(action);
    if (decision.action === 'continue') expect(decision.pct).toBe(pct);
    else expect(decision.completionEvent).toBeNull();
  });

  it('counts the continuation and remembers gain and total', () => {
    const used = tracker({ continuationCount: 1, lastGlobalTurnTokens: 1_000, lastDeltaTokens: 1_000 });
    const decision = checkTokenBudget(used, undefined, 10_000, 3_500, 5_000);
    expect(decision).toEqual({
      action: 'continue',
      nudgeMessage: getBudgetContinuationMessage(35, 3_500, 10_000),
      continuationCount: 2,
      pct: 35,
      turnTokens: 3_500,
      budget: 10_000,
    });
    expect(used).toEqual({
      continuationCount: 2,
      lastDeltaTokens: 2_500,
      lastGlobalTurnTokens: 3_500,
      startedAt: 1_000,
    });
  });

  it.each<[string, number, number, number, boolean]>([
    ['the third continuation, both gains under 500', 3, 499, 499, true],
    ['this gain is 500', 3, 499, 500, false],
    ['the gain before was 500', 3, 500, 499, false],
    ['only the second continuation', 2, 0, 0, false],
    ['many continuations, no gain', 7, 0, 0, true],
  ])('diminishing: %s', (_name, continuationCount, lastDeltaTokens, gain, diminishing) => {
    const decision = check({ continuationCount, lastDeltaTokens, lastGlobalTurnTokens: 2_000 }, 100_000, 2_000 + gain);
    expect(decision.action).toBe(diminishing ? 'stop' : 'continue');
    if (decision.action === 'stop') expect(decision.completionEvent?.diminishingReturns).toBe(true);
  });

  it('reports a completion when it had continued before', () => {
    expect(
      check({ continuationCount: 2, lastGlobalTurnTokens: 50_000, lastDeltaTokens: 50_000 }, 100_000, 95_000),
    ).toEqual({
      action: 'stop',
      completionEvent: {
        continuationCount: 2,
        pct: 95,
        turnTokens: 95_000,
        budget: 100_000,
        diminishingReturns: false,
        durationMs: 4_000,
      },
    });
  });

  it('leaves the tracker alone when it stops', () => {
    const used = tracker({ continuationCount: 1, lastDeltaTokens: 7, lastGlobalTurnTokens: 9 });
    checkTokenBudget(used, undefined, 100, 99);
    expect(used).toEqual(tracker({ continuationCount: 1, lastDeltaTokens: 7, lastGlobalTurnTokens: 9 }));
  });
});

it('the nudge contains the percentage, the token counts, and not to summarize', () => {
  const text = getBudgetContinuationMessage(42, 210_000, 500_000);
  for (const part of ['42%', '210,000', '500,000', 'Keep working', 'do not summarize']) expect(text).toContain(part);
});

describe('parseTokenBudget', () => {
  it.each<[string, number, string, string]>([
    ['+500k fix it', 500_000, '+500k', 'first'],
    ['  +500k\nfix it', 500_000, '+500k', 'first'],
    ['fix it +2m', 2_000_000, '+2m', 'last'],
    ['fix it +2M.', 2_000_000, '+2M', 'last'],
    ['fix it\n+20k\n', 20_000, '+20k', 'last'],
    ['+1.5m', 1_500_000, '+1.5m', 'first'],
    ['use 300k tokens on this', 300_000, 'use 300k tokens', 'first'],
    ['please spend about 20k tokens', 20_000, 'spend about 20k tokens', 'last'],
    ['- one\n- two\nuse up to 1m tokens!', 1_000_000, 'use up to 1m tokens', 'last'],
  ])('%j: %d', (prompt, tokens, written, place) => {
    expect(parseTokenBudget(prompt)).toEqual({ type: 'asked', tokens, written, place });
  });

  it.each([
    'fix it',
    'add +5 to the score',
    'the value is a+500k here',
    'in the middle +500k of a prompt',
    'explain why the log says "use 300k tokens" when it starts',
    'a line\n+500k\nanother line',
    'upload 300k tokens.txt',
    'use 300k tokens.txt',
    '+0k',
    '',
  ])('%j: none', (prompt) => {
    expect(parseTokenBudget(prompt)).toEqual({ type: 'none' });
  });

  it.each([
    'review\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-400k\n+500k',
    'review\n+limit:\n+500k\n',
    '+500k\n+600k',
    'diff --git a/x b/x\n use 300k tokens',
  ])('%j: a diff, so nothing is understood', (prompt) => {
    expect(parseTokenBudget(prompt).type).toBe('unclear');
  });
});

it.each<[string, number | null]>([
  ['500k', 500_000],
  ['+2m', 2_000_000],
  ['120000', 120_000],
  ['0', null],
  ['-3', null],
  ['much', null],
  ['5x', null],
])('parseTokenAmount %s', (text, tokens) => {
  expect(parseTokenAmount(text)).toBe(tokens);
});
