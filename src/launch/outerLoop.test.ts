import { expect, it } from 'vitest';
import { BUDGET_END } from '../budget/budgetEnd.ts';
import type { GateDecision } from '../schemas/ledger.ts';
import { LAST_STRETCH } from '../stop/clock.ts';
import { hasTimeToWork, lastVetoed } from './outerLoop.ts';

const ABOUT = { at: '2026-01-01T00:00:00Z', folder: '/p', agent: 'a', hostPid: null, launch: 'l', worker: null };
const began = (session: string): GateDecision => ({ ...ABOUT, session, type: 'sessionStart', ending: null });
const stop = (session: string, type: 'blocked' | 'passed' | 'stalled'): GateDecision => ({
  ...{ ...ABOUT, session, type: 'stop', durationMs: 0 },
  ending: { type, reason: type, checks: [] },
});

it.each([
  ['no decision at all: its hooks never ran', [], null],
  ['never asked', [began('a')], null],
  ['accepted', [began('a'), stop('a', 'blocked'), stop('a', 'passed')], null],
  ['stalled is accepted', [began('a'), stop('a', 'stalled')], null],
  ['vetoed, and it ended anyway', [began('a'), stop('a', 'blocked')], 'a'],
  ['the veto of another agent that it started', [began('a'), stop('a', 'passed'), stop('b', 'blocked')], null],
])('knows whose last stop was vetoed: %s', (_name, decisions, session) => {
  expect(lastVetoed(decisions)).toBe(session);
});

it.each([
  ['without a clock', {}, true],
  ['before its last stretch', { [LAST_STRETCH]: '100' }, true],
  ['in its last stretch', { [LAST_STRETCH]: '101' }, false],
  ['in the default last stretch', { [BUDGET_END]: '1100' }, false],
  ['after its time', { [BUDGET_END]: '999' }, false],
])('starts an agent again only when it has time to work: %s', (name, env, expected) => {
  const whole = name === 'without a clock' ? env : { [BUDGET_END]: '1100', ...env };
  expect(hasTimeToWork(whole, 1_000_000)).toBe(expected);
});
