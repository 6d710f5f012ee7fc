import { describe, expect, it } from 'vitest';
import type { EntryOf, GateDecision } from '../schemas/ledger.ts';
import { decideArmed } from '../stop/armed.ts';
import { errorEnding, type GateEnding, NOT_ASKED, notArmedEnding, skippedEnding } from '../stop/ending.ts';
import { recordedEnding } from '../stop/ledger.ts';
import { endingOfAgent, provenExit } from './launchChecks.ts';

const ending = (type: GateEnding['type']): GateEnding => ({ type, reason: type, checks: [] });

describe('the exit code of a launch', () => {
  it.each<[GateEnding, boolean, boolean, number]>([
    [ending('passed'), false, false, 0],
    [ending('passed'), true, false, 0],
    [ending('stalled'), false, false, 123],
    [ending('capped'), false, false, 123],
    [ending('blocked'), false, false, 123],
    [ending('outOfTime'), false, false, 123],
    [skippedEnding('notTrusted'), false, false, 123],
    [skippedEnding('backgroundTasks'), false, false, 123],
    [errorEnding('x'), false, false, 123],
    [NOT_ASKED, false, false, 123],
    [NOT_ASKED, false, true, 0],
    [NOT_ASKED, true, true, 123],
    [skippedEnding('nothingChanged'), false, false, 0],
    [skippedEnding('nothingChanged'), true, false, 123],
    [skippedEnding('planning'), false, false, 0],
    [{ ...skippedEnding('planning'), armedAtStart: ['a'] }, false, false, 123],
    [{ ...notArmedEnding('off'), armedAtStart: ['a'] }, false, false, 123],
    [{ ...skippedEnding('nothingChanged'), changed: 'x' }, false, false, 123],
    [{ ...ending('passed'), changed: 'x' }, false, false, 0],
    [{ ...ending('passed'), changed: 'x' }, true, false, 123],
    [notArmedEnding('no stopgate.config.json'), false, false, 0],
    [notArmedEnding('no stopgate.config.json'), true, false, 123],
  ])('%o, proof required %s, interactive %s: %i', (checks, requireProof, interactive, code) => {
    expect(provenExit('completed', checks, { requireProof, interactive })).toBe(code);
  });

  it.each([
    ['no_work', false, false, 121],
    ['no_work', true, false, 123],
    ['left_running', false, false, 122],
    ['left_running', true, false, 123],
    // the person at the terminal sees them
    ['left_running', false, true, 0],
  ] as const)('%s without checks, proof required %s, interactive %s: %i', (run, requireProof, interactive, code) => {
    expect(provenExit(run, notArmedEnding('no stopgate.config.json'), { requireProof, interactive })).toBe(code);
  });
});

describe('which answer is that of an agent', () => {
  const armed = decideArmed({ config: { type: 'none' }, file: null, untrusted: null, off: null });
  const about = { at: '', session: 's', folder: '/p', agent: 'claudeCode', hostPid: 1, launch: 'mine', worker: null };
  const line = (more: Partial<EntryOf<'stop'>>): GateDecision => ({
    ...about,
    type: 'stop',
    ending: recordedEnding(ending('passed')),
    durationMs: 0,
    ...more,
  });
  const start: GateDecision = { ...about, type: 'sessionStart', ending: null };
  const stalled = recordedEnding(ending('stalled'));

  it.each<[string, readonly GateDecision[], string]>([
    ['no line of it', [], 'notArmed'],
    ['it began and never called the gate', [start], 'notArmed'],
    ['its last answer', [start, line({ ending: stalled }), line({})], 'passed'],
    [
      'not that of an agent it started',
      [start, line({ ending: stalled }), line({ hostPid: 2, session: 't' })],
      'stalled',
    ],
    [
      'a session after /clear is the same process',
      [start, line({}), line({ session: 't', ending: stalled })],
      'stalled',
    ],
    [
      'a host that names no process is known by its session',
      [line({ hostPid: null, ending: stalled }), line({ hostPid: null, session: 't' })],
      'stalled',
    ],
  ])('%s', (_what, decisions, type) => {
    expect(endingOfAgent(armed, decisions).type).toBe(type);
  });
});
