import { describe, expect, it } from 'vitest';
import { parseConfig, type ReadConfig } from './checks/readConfig.ts';
import { errorEnding, type GateEnding, NOT_ASKED, notArmedEnding, skippedEnding } from './ending.ts';
import { changesSince, configuredChecks, endingSinceStart } from './sinceStart.ts';

const FILE = '/p/stopgate.config.json';
const config = (...checks: readonly object[]): ReadConfig => parseConfig(JSON.stringify({ checks }), FILE);
const a = { name: 'a', command: 'true' };
const b = { name: 'b', command: 'true' };
const start = { file: FILE, checks: ['a', 'b'], configured: configuredChecks(config(a, b)) };
const changed = (what: string) => `the checks changed during this session (${what})`;

describe('whether the checks changed during a session', () => {
  it.each<[string, ReadConfig, string | null]>([
    ['nothing', config(a, b), null],
    ['another order', config(b, a), null],
    ['what the agent is shown of a failure', config({ ...a, lines: 3 }, b), null],
    ['no checks', config(), 'removed: a, b'],
    ['one removed', config(b), 'removed: a'],
    ['one added', config(a, b, { command: 'c' }), 'added: c'],
    ['one renamed', config(a, { ...b, name: 'c' }), 'removed: b; added: c'],
    ['a command', config({ ...a, command: 'false' }, b), 'edited: a'],
    ['a command as words', config({ ...a, command: ['true'] }, b), 'edited: a'],
    ['a folder', config({ ...a, cwd: 'x' }, b), 'edited: a'],
    ['when', config({ ...a, when: 'changed' }, b), 'edited: a'],
    ['twice the same name', config(a, a, b), 'edited: a'],
    ['a broken file', parseConfig('{', FILE), 'the file is broken now'],
  ])('%s', (_what, now, what) => {
    expect(changesSince(start, now)).toBe(what === null ? null : changed(what));
  });
});

describe('how a gate ended, seen from the start', () => {
  const passed: GateEnding = { type: 'passed', reason: 'passed (a)', checks: [] };
  const stalled: GateEnding = { type: 'stalled', reason: 'stalled', checks: [] };
  it.each<[GateEnding, boolean, string]>([
    [passed, false, 'passed (a)'],
    [stalled, false, 'stalled'],
    [NOT_ASKED, false, NOT_ASKED.reason],
    [skippedEnding('nothingChanged'), false, 'skipped (nothing changed)'],
    [skippedEnding('planning'), true, 'skipped (the agent is in plan mode)'],
    [skippedEnding('planning'), false, 'skipped (the agent is in plan mode); armed at the start: a, b'],
    [skippedEnding('notTrusted'), true, 'skipped (the folder is not trusted); armed at the start: a, b'],
    [notArmedEnding('off'), true, 'not armed (off); armed at the start: a, b'],
    [errorEnding('x.'), true, 'error (x); armed at the start: a, b'],
  ])('%o, may plan %s', (ending, mayPlan, reason) => {
    expect(endingSinceStart(ending, { start, now: config(a, b), mayPlan }).reason).toBe(reason);
  });

  it('adds it once, however often it is compared', () => {
    const since = { start, now: config(b), mayPlan: true };
    const once = endingSinceStart(notArmedEnding('off'), since);
    expect(once.reason).toBe(`not armed (off); armed at the start: a, b; ${changed('removed: a')}`);
    expect(endingSinceStart(once, since)).toEqual(once);
  });
});
