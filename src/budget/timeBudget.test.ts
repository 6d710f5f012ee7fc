import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { budgetMessage, budgetTier, countdownOutput, formatRemaining, parseDuration } from './timeBudget.ts';

const SCRIPT = path.join(import.meta.dirname, '../../profiles/default/hooks/budget-countdown.sh');

describe('the message', () => {
  it.each([
    [723, 'BUDGET: 12m03s remaining'],
    [301, 'BUDGET: 5m01s remaining'],
    [300, '▲ BUDGET: 5m00s remaining — wrap up and commit soon'],
    [192, '▲ BUDGET: 3m12s remaining — wrap up and commit soon'],
    [120, '▲ BUDGET: 2m00s remaining — wrap up and commit soon'],
    [119, '▲▲▲ BUDGET: 1m59s — STOP EDITING, COMMIT NOW, EXIT ▲▲▲'],
    [65, '▲▲▲ BUDGET: 1m05s — STOP EDITING, COMMIT NOW, EXIT ▲▲▲'],
    [1, '▲▲▲ BUDGET: 1s — STOP EDITING, COMMIT NOW, EXIT ▲▲▲'],
    [0, '▲▲▲ BUDGET EXPIRED — COMMIT NOW AND EXIT ▲▲▲'],
    [-500, '▲▲▲ BUDGET EXPIRED — COMMIT NOW AND EXIT ▲▲▲'],
    [3845, 'BUDGET: 1h04m remaining'],
    [65.9, '▲▲▲ BUDGET: 1m05s — STOP EDITING, COMMIT NOW, EXIT ▲▲▲'],
  ])('%d s', (seconds, message) => {
    expect(budgetMessage(seconds)).toBe(message);
  });

  it('tiers', () => {
    const tiers = [400, 200, 50, 0].map((seconds) => budgetTier(seconds));
    expect(tiers).toEqual(['plenty', 'wrapUp', 'stopEditing', 'expired']);
  });

  it.each([
    // a short budget: its last half, its last quarter
    [100, 99, 'BUDGET: 1m39s remaining'],
    [100, 50, '▲ BUDGET: 50s remaining — wrap up and commit soon'],
    [100, 25, '▲ BUDGET: 25s remaining — wrap up and commit soon'],
    [100, 24, '▲▲▲ BUDGET: 24s — STOP EDITING, COMMIT NOW, EXIT ▲▲▲'],
    [100, 0, '▲▲▲ BUDGET EXPIRED — COMMIT NOW AND EXIT ▲▲▲'],
    [239, 119, '▲ BUDGET: 1m59s remaining — wrap up and commit soon'],
    [3, 2, 'BUDGET: 2s remaining'],
    // long enough: the table
    [240, 119, '▲▲▲ BUDGET: 1m59s — STOP EDITING, COMMIT NOW, EXIT ▲▲▲'],
    [240, 239, '▲ BUDGET: 3m59s remaining — wrap up and commit soon'],
    [1200, 301, 'BUDGET: 5m01s remaining'],
  ])('of %d s, %d s left', (totalSeconds, seconds, message) => {
    expect(budgetMessage(seconds, { totalSeconds })).toBe(message);
  });
});

describe('the script', () => {
  const run = (env: Record<string, string>, ...args: readonly string[]) =>
    execFileSync(SCRIPT, args, {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
  const NOW = 1_800_000_000;

  it('prints the same bytes as the function', () => {
    const offsets = [
      -1e6, -1, 0, 1, 9, 10, 59, 60, 61, 65, 69, 70, 119, 120, 121, 299, 300, 301, 599, 600, 3599, 3600, 3601, 3659,
      3660, 4200, 35_999, 36_000, 86_400, 1e6,
    ];
    for (const left of offsets) {
      const output = run({ AUTORESEARCH_BUDGET_END: String(NOW + left), STOPGATE_BUDGET_NOW: String(NOW) });
      expect(output).toBe(countdownOutput(left));
    }
  });

  it.each([
    ['nothing set', {}],
    ['empty', { AUTORESEARCH_BUDGET_END: '' }],
    ['words', { AUTORESEARCH_BUDGET_END: 'soon' }],
    ['negative', { AUTORESEARCH_BUDGET_END: '-5' }],
    ['an attack', { AUTORESEARCH_BUDGET_END: 'a[$(touch /tmp/stopgate-pwned)]' }],
    ['far too long', { AUTORESEARCH_BUDGET_END: '9'.repeat(30) }],
    ['a bad time', { AUTORESEARCH_BUDGET_END: '5', STOPGATE_BUDGET_NOW: 'x' }],
  ])('%s: silent, and no error', (_name, env) => {
    expect(run(env)).toBe('');
  });

  it('prints the same for short budgets, with the name of the event it gets', () => {
    for (const total of [0, 1, 2, 3, 4, 7, 60, 100, 239, 240, 241, 600]) {
      for (const left of [1, 2, 15, 24, 25, 30, 50, 59, 60, 119, 120, 239].filter((seconds) => seconds <= total)) {
        const env = { STOPGATE_BUDGET_END: String(NOW + left), STOPGATE_BUDGET_TOTAL: String(total) };
        const output = run({ ...env, STOPGATE_BUDGET_NOW: String(NOW) }, 'PostToolBatch');
        expect(output).toBe(countdownOutput(left, 'PostToolBatch', { totalSeconds: total }));
      }
    }
    const odd = { STOPGATE_BUDGET_END: String(NOW + 60), STOPGATE_BUDGET_NOW: String(NOW) };
    for (const total of ['', 'x', '-1', '1.5', '9'.repeat(30)]) {
      expect(run({ ...odd, STOPGATE_BUDGET_TOTAL: total })).toBe(countdownOutput(60));
    }
  });

  it('leaves the single call to the batch where a launcher wired that', () => {
    const env = { STOPGATE_BUDGET_END: String(NOW), STOPGATE_BUDGET_NOW: '1', STOPGATE_COUNTDOWN: 'PostToolBatch' };
    expect(run(env)).toBe('');
    expect(run(env, 'PostToolBatch')).not.toBe('');
  });

  it("Stopgate's own variable wins, and a leading zero does not mean octal", () => {
    const env = {
      AUTORESEARCH_BUDGET_END: '1',
      STOPGATE_BUDGET_END: `0${NOW + 700}`,
      STOPGATE_BUDGET_NOW: String(NOW),
    };
    expect(run(env)).toBe(countdownOutput(700));
  });

  it('reads the clock by itself', () => {
    const end = Math.floor(Date.now() / 1000) + 10_000;
    expect(run({ STOPGATE_BUDGET_END: String(end) })).toContain('BUDGET: 2h46m remaining');
  });
});

it.each<[string, number | null]>([
  ['20m', 1200],
  ['1h30m', 5400],
  ['90s', 90],
  ['1h', 3600],
  ['1200', 1200],
  ['2m30s', 150],
  ['0', null],
  ['', null],
  ['soon', null],
  ['1d', 86_400],
  ['90m', 5400],
  ['2w', 1_209_600],
  ['1w2d3h', 788_400],
  ['5y', null],
  ['1h1d', null],
  ['-5m', null],
])('parseDuration %s', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

it.each([
  [59, '59s'],
  [60, '1m00s'],
  [3599, '59m59s'],
  [3600, '1h00m'],
])('%d s in words', (seconds, words) => {
  expect(formatRemaining(seconds)).toBe(words);
});
