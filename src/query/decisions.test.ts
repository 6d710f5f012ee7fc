import { describe, expect, it } from 'vitest';
import { NO_USAGE, type StopReason } from '../models/types.ts';
import { makeMessages } from '../session/makeMessages.ts';
import type { Message } from '../session/messages.ts';
import { decideLimit } from './decideLimit.ts';
import { decideNextStep } from './decideNextStep.ts';
import { type CapReason, decideStop, PASS } from './stop/stopResult.ts';
import { batchOrder, type PreparedCall, toolBatches } from './tools/toolBatches.ts';
import { toolUseSummary } from './tools/toolRound.ts';

describe('decideLimit', () => {
  it.each([
    [{}, 1000, { usd: 1000, tokens: 9e9 }, undefined],
    [{ maxTurns: 3 }, 2, {}, undefined],
    [{ maxTurns: 3 }, 3, {}, 'max_turns'],
    [{ maxBudgetUsd: 1 }, 0, { usd: 0.99 }, undefined],
    [{ maxBudgetUsd: 1 }, 0, { usd: 1 }, 'budget_exhausted'],
    [{ maxBudgetUsd: 1, maxTurns: 1 }, 1, { usd: 1 }, 'budget_exhausted'],
    [{ maxOutputTokens: 500 }, 0, { usd: 9, tokens: 499 }, undefined],
    [{ maxOutputTokens: 500, maxTurns: 1 }, 1, { tokens: 500 }, 'tokens_exhausted'],
    [{ maxOutputTokens: 500, maxBudgetUsd: 1 }, 1, { usd: 1, tokens: 500 }, 'budget_exhausted'],
  ])('%o after %d requests and %o: %s', (limits, requests, spent: { usd?: number; tokens?: number }, reason) => {
    const config = { maxTurns: undefined, maxBudgetUsd: undefined, maxOutputTokens: undefined, ...limits };
    const ledger = { totalUsd: spent.usd ?? 0, totalOutputTokens: spent.tokens ?? 0 };
    expect(decideLimit(config, requests, ledger)?.reason).toBe(reason);
  });
});

describe('decideStop', () => {
  interface Facts {
    readonly prevented?: boolean;
    readonly blocks?: number;
    readonly contexts?: number;
    readonly blocksInARow?: number;
    readonly cap?: number;
    readonly counted?: Partial<Record<CapReason, number>>;
  }
  const messages = (count = 0) => Array.from({ length: count }, () => ({}) as Message);
  it.each<[string, Facts, object]>([
    ['no hook objects', {}, { type: 'pass' }],
    ['a hook ends it', { prevented: true, blocks: 2 }, { type: 'prevented' }],
    ['a hook blocks', { blocks: 1 }, { type: 'goOn', blocked: true }],
    ['a hook adds context', { contexts: 1 }, { type: 'goOn', blocked: false }],
    ['both', { blocks: 1, contexts: 1 }, { type: 'goOn', blocked: true }],
    ['the eighth block', { blocks: 1, blocksInARow: 7 }, { type: 'goOn', blocked: true }],
    ['the ninth block', { blocks: 1, blocksInARow: 8 }, { type: 'capped', why: 'noToolCall', blocks: 8 }],
    ['contexts count', { contexts: 1, blocksInARow: 8 }, { type: 'capped', why: 'noToolCall', blocks: 8 }],
    ['nothing changed', { blocks: 1, counted: { noChange: 8 } }, { type: 'capped', why: 'noChange', blocks: 8 }],
    [
      'done, and still sent back',
      { blocks: 1, counted: { afterDone: 8 } },
      { type: 'capped', why: 'afterDone', blocks: 8 },
    ],
    ['sent back without end', { blocks: 1, counted: { inTurn: 100 } }, { type: 'capped', why: 'inTurn', blocks: 100 }],
    ['the hundredth', { blocks: 1, counted: { inTurn: 99 } }, { type: 'goOn', blocked: true }],
    ['a hook ends it at a cap', { prevented: true, blocks: 1, counted: { inTurn: 100 } }, { type: 'prevented' }],
    ['no cap', { blocks: 1, blocksInARow: 500, cap: 0 }, { type: 'goOn', blocked: true }],
    ['past the cap, without an objection', { blocksInARow: 8 }, { type: 'pass' }],
  ])('%s', (_name, { prevented = false, blocks, contexts, blocksInARow = 0, cap = 8, counted }, expected) => {
    const blockingErrors = messages(blocks);
    const result = { ...PASS, preventContinuation: prevented, blockingErrors, contexts: messages(contexts) };
    const caps = { noToolCall: cap, noChange: cap, afterDone: 8, inTurn: 100 };
    const soFar = { noToolCall: blocksInARow, noChange: 0, afterDone: 0, inTurn: 0, ...counted };
    expect(decideStop(result, { blocks: soFar, caps })).toEqual(expected);
  });
});

describe('toolBatches', () => {
  const calls = (pattern: string) =>
    [...pattern].map(
      (letter, index) => ({ parallel: letter === 'r', call: { id: `${letter}${index}` } }) as PreparedCall,
    );
  it.each([
    ['', []],
    ['r', ['r']],
    ['rr', ['rr']],
    ['rwr', ['r', 'w', 'r']],
    ['ww', ['w', 'w']],
    ['rrwrr', ['rr', 'w', 'rr']],
    ['r'.repeat(12), ['r'.repeat(12)]],
  ])('%s', (pattern, expected) => {
    const shape = toolBatches(calls(pattern)).map((batch) => batch.map(({ call }) => call.id[0]).join(''));
    expect(shape).toEqual(expected);
  });
});

describe('batchOrder', () => {
  const batch = [...'aaarrr'].map((letter) => ({ call: { name: letter === 'a' ? 'Agent' : 'Read' } }) as PreparedCall);
  const none = { maxConcurrentSubagents: 2, maxBudgetUsd: undefined };
  it.each<[string, number, readonly number[], object, boolean]>([
    ['a second subagent starts', 1, [0], {}, true],
    ['a third waits', 2, [0, 1], {}, false],
    ['reads are not held up by subagents', 3, [0, 1], {}, true],
    ['nor subagents by reads', 0, [3, 4, 5], {}, true],
    ['a limit in dollars takes one at a time', 1, [0], { maxBudgetUsd: 1 }, false],
    ['and leaves reads alone', 4, [0, 3], { maxBudgetUsd: 1 }, true],
  ])('%s', (_, index, running, limits, expected) => {
    expect(batchOrder(batch, { ...none, ...limits })(index, new Set(running))).toBe(expected);
  });

  it('runs ten reads side by side', () => {
    const reads = Array.from({ length: 11 }, () => ({ call: { name: 'Read' } }) as PreparedCall);
    const running = new Set(Array.from({ length: 10 }, (_, index) => index));
    expect(batchOrder(reads, none)(10, running)).toBe(false);
  });
});

it('toolUseSummary counts by what was done', () => {
  const calls = ['Bash', 'Read', 'Bash', 'Strange'].map((name) => ({ call: { name } }));
  expect(toolUseSummary(calls)).toBe('ran 2 commands, read 1 file, used Strange 1 time');
  const denied = ['Bash', 'Write'].map((name) => ({ call: { name }, refused: true }));
  expect(toolUseSummary([...denied, ...calls.slice(0, 1)])).toBe('ran 1 command');
  expect(toolUseSummary(denied)).toBe('');
});

describe('decideNextStep', () => {
  const fresh = {
    maxOutputTokensRecoveryCount: 0,
    hasAttemptedReactiveCompact: false,
    hasAskedForOutput: false,
    hasContinuedRefused: false,
    isRefusalOpen: false,
  };
  const limit = { reason: 'budget_exhausted', spentUsd: 2, maxBudgetUsd: 1 } as const;
  const CALL = { type: 'tool_use', id: 't1', name: 'Bash', input: {} } as const;
  const answer = (text: string, stop_reason: StopReason, calls: (typeof CALL)[] = []) => {
    const content = [...(text ? [{ type: 'text', text } as const] : []), ...calls];
    const message = { id: 'm', role: 'assistant', model: 'm', content, stop_reason, usage: NO_USAGE } as const;
    return { type: 'answered', message: makeMessages().assistant(message), toolCalls: calls } as const;
  };
  it.each([
    ['a text', answer('hi', 'end_turn'), {}, undefined, 'checkStop'],
    ['a call', answer('', 'tool_use', [CALL]), {}, undefined, 'runTools'],
    ['a call that the budget does not cover', answer('', 'tool_use', [CALL]), {}, limit, 'endAtLimit'],
    ['a last answer that used up the budget', answer('hi', 'end_turn'), {}, limit, 'endAtLimit'],
    ['nothing', answer('', 'end_turn'), {}, undefined, 'askForOutput'],
    ['blanks', answer(' \n', 'end_turn'), {}, undefined, 'askForOutput'],
    ['nothing again', answer('', 'end_turn'), { hasAskedForOutput: true }, undefined, 'checkStop'],
    ['nothing after a refusal', answer('', 'end_turn'), { isRefusalOpen: true }, undefined, 'askForOutput'],
    [
      'nothing again after a refusal',
      answer('', 'end_turn'),
      { hasAskedForOutput: true, isRefusalOpen: true },
      undefined,
      'fail',
    ],
    ['a text after a refusal', answer('so', 'end_turn'), { isRefusalOpen: true }, undefined, 'checkStop'],
    [
      'a failure that used up the budget',
      { type: 'failed', failure: { errorClass: 'server_error', message: 'x', retryable: true } },
      {},
      limit,
      'endAtLimit',
    ],
    ['nothing, cut at the output limit', answer('', 'max_tokens'), {}, undefined, 'recoverOutput'],
    ['a refusal', answer('no', 'refusal'), {}, undefined, 'continueRefused'],
    ['a refusal with a call', answer('no', 'refusal', [CALL]), {}, undefined, 'continueRefused'],
    ['a second refusal', answer('no', 'refusal', [CALL]), { hasContinuedRefused: true }, undefined, 'fail'],
  ] as const)('%s', (_name, reply, state, over, expected) => {
    expect(decideNextStep(reply, { ...fresh, ...state }, over).type).toBe(expected);
  });
});
