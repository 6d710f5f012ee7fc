import { describe, expect, it } from 'vitest';
import type { BaselineEntry, FailureSet } from '../../schemas/baseline.ts';
import { type AcceptedFacts, checkIdentity, judgeFailure, voidNotes, whyVoid } from './baseline.ts';
import { failureSet } from './failureSet.ts';
import type { Check, FailedCheck } from './types.ts';

const NOW = Date.parse('2026-11-18T12:00:00Z');
const check: Check = {
  ...{ name: 'tests', commandText: 'run', file: 'sh', args: ['-c', 'run'], cwd: '/p', folder: '/p', timeoutMs: 1 },
  ...{ when: 'default', lines: 40, inputs: [], severity: 'block', baseline: null, report: null },
};
const set = (output: string) =>
  failureSet({ code: 1, output, isCut: false, folder: '/p', tests: undefined }) as FailureSet;
const entry = (more: Partial<BaselineEntry> = {}): BaselineEntry => ({
  ...{ check: 'tests', command: checkIdentity(check), reason: 'legacy', at: '2026-11-14T12:00:00Z', by: 'me' },
  ...{ expiresAt: null, failures: { ...set('a is bad'), items: [...set('a is bad').items] } },
  ...more,
});
const failed = (more: Partial<FailedCheck> = {}): FailedCheck => ({
  ...{ type: 'failed', check, how: 'exited 1 after 1s', output: 'a is bad', found: set('a is bad') },
  ...more,
});
const facts = (entries: readonly BaselineEntry[], began: AcceptedFacts['began'] = {}) => ({ entries, began, now: NOW });
const session = { ...check, baseline: 'session' as const };
const before = { [checkIdentity(session)]: { at: '2026-11-18T11:00:00Z', failures: set('a is bad') } };

describe('judgeFailure', () => {
  it.each<[string, FailedCheck, AcceptedFacts, object]>([
    ['nothing is accepted', failed(), facts([]), { type: 'failed', how: 'exited 1 after 1s' }],
    [
      'it is accepted',
      failed(),
      facts([entry()]),
      { type: 'accepted', words: '1 line of output, accepted 4d ago: legacy' },
    ],
    [
      'no reason was given',
      failed(),
      facts([entry({ reason: null })]),
      { words: '1 line of output, accepted 4d ago: no reason given' },
    ],
    ['it has not expired', failed(), facts([entry({ expiresAt: '2026-11-18T12:00:01Z' })]), { type: 'accepted' }],
    ['it has expired', failed(), facts([entry({ expiresAt: '2026-11-18T12:00:00Z' })]), { type: 'failed' }],
    [
      'the command changed',
      failed({ check: { ...check, args: ['-c', 'run; true'] } }),
      facts([entry()]),
      { type: 'failed' },
    ],
    [
      'the report changed',
      failed({ check: { ...check, report: { format: 'tap', path: null } } }),
      facts([entry()]),
      { type: 'failed' },
    ],
    ['it is of another check', failed(), facts([entry({ check: 'lint' })]), { type: 'failed' }],
    [
      'the project is elsewhere',
      failed({ check: { ...check, cwd: '/q', folder: '/q' } }),
      facts([entry()]),
      { type: 'accepted' },
    ],
    [
      'more fails',
      failed({ found: set('a is bad\nb is bad') }),
      facts([entry()]),
      { type: 'failed', how: 'exited 1 after 1s, with 1 line of output that is not accepted' },
    ],
    [
      'it crashed',
      failed({ how: 'was ended by SIGSEGV after 1s', found: 'it did not end by itself' }),
      facts([entry()]),
      {
        type: 'failed',
        how: 'was ended by SIGSEGV after 1s, which is not what was accepted (it did not end by itself)',
      },
    ],
    [
      'it was not run',
      { ...failed(), found: undefined } as unknown as FailedCheck,
      facts([entry()]),
      { type: 'failed' },
    ],
    [
      'it failed before the session',
      failed({ check: session }),
      facts([], before),
      { type: 'accepted', words: '1 line of output, failed before this session began' },
    ],
    ['the session may not accept', failed(), facts([], before), { type: 'failed' }],
    [
      'either accepts it',
      failed({ check: session, found: set('b is bad') }),
      facts([entry()], { [checkIdentity(session)]: { at: '', failures: set('b is bad') } }),
      { type: 'accepted' },
    ],
  ])('when %s', (_what, result, accepted, expected) => {
    expect(judgeFailure(result, accepted)).toMatchObject(expected);
  });
});

it.each<[string, Partial<BaselineEntry>, string | null]>([
  ['counts', {}, null],
  ['is expired', { expiresAt: '2026-11-18T10:00:00Z' }, 'expired 2h ago'],
  ['is of a check that is gone', { check: 'gone' }, 'there is no such check any more'],
  ['is of another command', { command: 'x' }, 'the command of the check changed'],
])('an entry that %s', (_what, more, why) => {
  expect(whyVoid(entry(more), [check], NOW)).toBe(why);
  expect(voidNotes([failed()], facts([entry(more)]))).toHaveLength(why === null || more.check === 'gone' ? 0 : 1);
});
