import { describe, expect, it } from 'vitest';
import { decideLimit } from './decideLimit.ts';
import { decideStop, type StopFacts } from './decideStop.ts';
import type { PreparedCall } from './prepareCall.ts';
import { toolBatches } from './toolBatches.ts';
import { toolUseSummary } from './toolUseSummary.ts';

describe('decideLimit', () => {
  it.each([
    [{}, 1000, 1000, undefined],
    [{ maxTurns: 3 }, 2, 0, undefined],
    [{ maxTurns: 3 }, 3, 0, 'max_turns'],
    [{ maxBudgetUsd: 1 }, 0, 0.99, undefined],
    [{ maxBudgetUsd: 1 }, 0, 1, 'budget_exhausted'],
    [{ maxBudgetUsd: 1, maxTurns: 1 }, 1, 1, 'budget_exhausted'],
  ])('%o after %d requests and $%d: %s', (limits, requests, usd, reason) => {
    const config = { maxTurns: undefined, maxBudgetUsd: undefined, ...limits };
    expect(decideLimit(config, requests, usd)?.reason).toBe(reason);
  });
});

describe('decideStop', () => {
  const facts: StopFacts = { prevented: false, blocks: 0, contexts: 0, blocksInARow: 0, cap: 8 };
  it.each<[string, Partial<StopFacts>, object]>([
    ['nobody objects', {}, { type: 'pass' }],
    ['a hook ends it', { prevented: true, blocks: 2 }, { type: 'prevented' }],
    ['a hook blocks', { blocks: 1 }, { type: 'goOn', blocked: true }],
    ['a hook adds context', { contexts: 1 }, { type: 'goOn', blocked: false }],
    ['both', { blocks: 1, contexts: 1 }, { type: 'goOn', blocked: true }],
    ['the eighth block', { blocks: 1, blocksInARow: 7 }, { type: 'goOn', blocked: true }],
    ['the ninth block', { blocks: 1, blocksInARow: 8 }, { type: 'capped', blocks: 8 }],
    ['contexts count', { contexts: 1, blocksInARow: 8 }, { type: 'capped', blocks: 8 }],
    ['no cap', { blocks: 1, blocksInARow: 500, cap: 0 }, { type: 'goOn', blocked: true }],
    ['past the cap but nobody objects', { blocksInARow: 8 }, { type: 'pass' }],
  ])('%s', (_name, some, expected) => {
    expect(decideStop({ ...facts, ...some })).toEqual(expected);
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
    ['r'.repeat(12), ['r'.repeat(10), 'rr']],
  ])('%s', (pattern, expected) => {
    const shape = toolBatches(calls(pattern)).map((batch) => batch.map(({ call }) => call.id[0]).join(''));
    expect(shape).toEqual(expected);
  });
});

it('toolUseSummary counts by what was done', () => {
  const calls = ['Bash', 'Read', 'Bash', 'Strange'].map((name) => ({ name }));
  expect(toolUseSummary(calls)).toBe('ran 2 commands, read 1 file, used Strange 1 time');
});
