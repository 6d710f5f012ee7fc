import { describe, expect, it } from 'vitest';
import type { SessionChecks } from '../schemas/sessionChecks.ts';
import { decideArmed } from './armed.ts';
import { decideChecks } from './checks/decideChecks.ts';
import { type CheckWhen, type Demand, demandOf, runsUnchanged } from './checks/demand.ts';
import { sessionBefore } from './checks/rememberStart.ts';
import { type Check, type CheckResult, NEW_SESSION } from './checks/types.ts';
import {
  endingOfChecks,
  errorEnding,
  gaveUp,
  isProof,
  NOT_ASKED,
  neverBlockEnding,
  notArmedEnding,
  skippedEnding,
} from './ending.ts';

const check = (name: string): Check => ({
  name,
  commandText: name,
  file: name,
  args: [],
  cwd: '/',
  timeoutMs: 1,
  when: 'default',
  lines: 1,
  inputs: [],
  folder: '/p',
  severity: 'block',
  baseline: null,
  report: null,
});
const passed = (name: string): CheckResult => ({ type: 'passed', check: check(name), durationMs: 1 });
const failed = (name: string): CheckResult => ({ type: 'failed', check: check(name), how: 'exited 1', output: '' });
const advised = (name: string): CheckResult => ({ type: 'advised', check: check(name), how: 'exited 1', output: '' });
const accepted = (name: string): CheckResult => {
  return { type: 'accepted', check: check(name), words: '2 failing tests, accepted 4d ago: legacy' };
};
const not = (type: 'remembered' | 'nothingChanged', name: string): CheckResult => ({ type, check: check(name) });
const late = (name: string, started: boolean): CheckResult => ({ type: 'outOfTime', check: check(name), started });

/** A session that was sent back at these files. */
const sentBack = (more: Partial<SessionChecks>): SessionChecks => ({ ...NEW_SESSION, blockedAt: 'd', ...more });

const ending = (results: readonly CheckResult[], session: SessionChecks = NEW_SESSION) => {
  const decision = decideChecks({
    results,
    digest: 'd',
    digestAfter: 'd',
    session,
    limits: { stallAfter: 2, maxBlocks: 5 },
  });
  return endingOfChecks(decision, results);
};

describe('how the gate ended', () => {
  it.each<[string, readonly CheckResult[], SessionChecks, string, string]>([
    ['all passed', [passed('a'), not('remembered', 'b')], NEW_SESSION, 'passed', 'passed (a, b)'],
    ['nothing ran', [not('nothingChanged', 'a')], NEW_SESSION, 'skipped', 'skipped (nothing changed)'],
    [
      'some ran',
      [passed('a'), not('nothingChanged', 'b')],
      NEW_SESSION,
      'passed',
      'passed (a); skipped, because nothing changed: b',
    ],
    ['one had no time', [passed('a'), late('b', false)], NEW_SESSION, 'outOfTime', 'out of time (not run: b)'],
    ['one was cut off', [late('a', true)], NEW_SESSION, 'outOfTime', 'out of time (not finished: a)'],
    [
      'one was cut off, one not begun',
      [late('a', true), late('b', false)],
      NEW_SESSION,
      'outOfTime',
      'out of time (not finished: a; not run: b)',
    ],
    ['one failed', [passed('a'), failed('b')], NEW_SESSION, 'blocked', 'failed (b)'],
    ['advice', [passed('a'), advised('b')], NEW_SESSION, 'advised', 'advised (b); passed: a'],
    [
      'an accepted failure, with the rest behind it',
      [accepted('a'), advised('b'), passed('c'), not('nothingChanged', 'd')],
      NEW_SESSION,
      'accepted',
      'accepted (a: 2 failing tests, accepted 4d ago: legacy); advised: b; passed: c; skipped, because nothing changed: d',
    ],
    [
      'a waiver, which proves less',
      [accepted('a'), { type: 'waived', check: check('w'), reason: 'down' }],
      NEW_SESSION,
      'waived',
      'waived (w: down); accepted: a: 2 failing tests, accepted 4d ago: legacy',
    ],
    ['a failure beside accepted ones', [accepted('a'), failed('b')], NEW_SESSION, 'blocked', 'failed (b)'],
    [
      'it stalled',
      [failed('b')],
      sentBack({ unchanged: 1 }),
      'stalled',
      'stalled (still failing: b; no file changed in the last 3 stops)',
    ],
    [
      'it was capped',
      [failed('a'), failed('b')],
      sentBack({ blocks: 5 }),
      'capped',
      'capped (still failing: a, b; the agent was sent back 5 times)',
    ],
  ])('%s', (_what, results, session, type, reason) => {
    expect(ending(results, session)).toMatchObject({ type, reason });
  });

  it.each<[string, readonly CheckResult[], boolean, boolean]>([
    ['a pass', [passed('a')], true, false],
    ['advice beside a pass', [passed('a'), advised('b')], true, false],
    ['advice alone', [advised('b')], false, false],
    ['an accepted failure', [passed('a'), accepted('b')], false, false],
    ['a failure', [passed('a'), failed('b')], false, true],
  ])('is proof, or given up: %s', (_what, results, proof, up) => {
    expect([isProof(ending(results)), gaveUp(ending(results))]).toEqual([proof, up]);
  });

  it('counts as given up, unless it passed or a person chose to have none', () => {
    const gave = [
      ending([failed('a')]),
      ending([late('a', true)]),
      ending([failed('a')], sentBack({ unchanged: 1 })),
      ending([failed('a')], sentBack({ blocks: 5 })),
      skippedEnding('notTrusted'),
      skippedEnding('backgroundTasks'),
      skippedEnding('timeOver'),
      NOT_ASKED,
      errorEnding('x'),
    ];
    expect(gave.map(gaveUp)).toEqual(gave.map(() => true));
    const chosen = [
      ending([passed('a')]),
      ending([not('nothingChanged', 'a')]),
      neverBlockEnding('switchedOff'),
      skippedEnding('planning'),
      notArmedEnding('--no-checks'),
    ];
    expect(chosen.map(gaveUp)).toEqual(chosen.map(() => false));
  });
});

describe('whether unchanged files are checked', () => {
  it.each<[string, Partial<Parameters<typeof demandOf>[0]>, Demand]>([
    ['a question at a terminal', {}, 'question'],
    ['a terminal session that may edit', { mayEdit: true }, 'question'],
    ['headless, may only read', { headless: true, mayEdit: false }, 'question'],
    ['headless, may edit', { headless: true, mayEdit: true }, 'order'],
    ['headless, and not known', { headless: true, mayEdit: null }, 'order'],
    ['launched', { launched: true, mayEdit: false }, 'order'],
    ['a worker', { worker: true }, 'order'],
    ['proof is required', { requireProof: true, mayEdit: false }, 'proof'],
  ])('%s: %o is %s', (_what, facts, demand) => {
    const none = { requireProof: false, launched: false, worker: false, headless: false, mayEdit: null };
    expect(demandOf({ ...none, ...facts })).toBe(demand);
  });

  it.each<[CheckWhen, Demand, boolean]>([
    ['default', 'question', false],
    ['default', 'order', true],
    ['default', 'proof', true],
    ['changed', 'question', false],
    ['changed', 'order', false],
    ['changed', 'proof', true],
    ['always', 'question', true],
    ['always', 'order', true],
    ['always', 'proof', true],
  ])('when %s, for a %s: %s', (when, demand, runs) => {
    expect(runsUnchanged(when, demand)).toBe(runs);
  });
});

describe('whose files a session began with', () => {
  const seen = [
    { session: 'old', folder: '/p', hostPid: 7 },
    { session: 'mine', folder: '/p', hostPid: 8 },
    { session: 'elsewhere', folder: '/q', hostPid: 8 },
    { session: 'latest', folder: '/p', hostPid: 9 },
  ];
  it.each<[string, string, number | null, string | null]>([
    ['a new session begins with its own', 'startup', 8, null],
    ['compaction keeps its session', 'compact', 8, null],
    ['/clear goes on in the same process', 'clear', 8, 'mine'],
    ['/clear in a process that was never seen', 'clear', 10, null],
    ['/clear without a process', 'clear', null, null],
    ['a fork in the same process', 'fork', 7, 'old'],
    ['a fork in a process of its own', 'fork', 10, 'latest'],
    ['a fork without a process', 'fork', null, 'latest'],
    ['another session resumed in the same process', 'resume', 8, 'mine'],
    ['another session resumed in a new process', 'resume', 10, null],
  ])('%s', (_what, source, hostPid, before) => {
    expect(sessionBefore({ session: 'new', folder: '/p', hostPid, source }, seen)).toBe(before);
  });

  it('is never itself', () => {
    expect(sessionBefore({ session: 'mine', folder: '/p', hostPid: 8, source: 'clear' }, seen)).toBeNull();
  });
});

describe('what is armed', () => {
  const done = {
    file: '/p/stopgate.config.json',
    checks: [check('a'), check('b')],
    stallAfter: 2,
    maxBlocks: 5,
    protect: [],
    editable: [],
    judge: null,
  };
  const config = { type: 'config', done } as const;
  const { file } = done;
  it.each([
    ['all of it', { config, file, untrusted: null, off: null }, 'Checks armed: a, b.', 'notAsked'],
    [
      'an untrusted folder',
      { config, file, untrusted: { code: 'notTrusted', reason: 'the folder is not trusted' }, off: null },
      /^Checks not run at the stop \(a, b, /,
      'skipped',
    ],
    [
      'checks that changed since',
      { config, file, untrusted: { code: 'changedSinceTrusted', reason: 'changed since' }, off: null },
      'Checks not run at the stop (a, b, from /p/stopgate.config.json): changed since.',
      'skipped',
    ],
    ['switched off', { config, file, untrusted: null, off: '--no-checks' }, /not armed: --no-checks\.$/, 'notArmed'],
    [
      'a broken file',
      { config: { type: 'broken', message: 'x:1: bad.' }, file, untrusted: null, off: null },
      'x:1: bad.',
      'error',
    ],
  ] as const)('%s', (_what, facts, sentence, type) => {
    const armed = decideArmed(facts);
    expect(armed.sentence).toEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence));
    expect(armed.ending.type).toBe(type);
  });

  it('shows names that a terminal would obey', () => {
    const hostile = { type: 'config', done: { ...done, checks: [check('a\u001b[2J\n')] } } as const;
    const { sentence } = decideArmed({
      config: hostile,
      file,
      untrusted: { code: 'notTrusted', reason: 'the folder is not trusted' },
      off: null,
    });
    expect(sentence).toContain('(a\\u{1b}[2J\\u{a}, from ');
  });

  it('has no sentence where there is nothing to check', () => {
    expect(decideArmed({ config: { type: 'none' }, file: null, untrusted: null, off: null })).toMatchObject({
      sentence: null,
      ending: { type: 'notArmed', reason: 'not armed (no stopgate.config.json)' },
    });
  });
});
