import { describe, expect, it } from 'vitest';
import type { Check, CheckResult } from '../checks/types.ts';
import { isProof } from '../ending.ts';
import { verdictOf } from './verdict.ts';

const check = (name: string): Check => ({
  ...{ name, commandText: name, file: '/bin/sh', args: ['-c', name], cwd: '/p', timeoutMs: 1_000, when: 'default' },
  ...{ lines: 40, inputs: [], folder: '/p', severity: 'block', baseline: null, report: null },
});
const passed = (name: string): CheckResult => ({ type: 'passed', check: check(name), durationMs: 5 });
const failed = (name: string, how: string, output = ''): CheckResult => ({
  type: 'failed',
  check: check(name),
  how,
  output,
});
const commit = 'abcdef0123456789';
const at = 'in a clean checkout of abcdef012345';

describe('verdictOf', () => {
  it.each<[string, readonly CheckResult[], 'pass' | 'reject', string, boolean]>([
    ['all passed', [passed('a'), passed('b')], 'pass', `Verified ${at}: passed (a, b).`, true],
    [
      'one failed',
      [passed('a'), failed('b', 'exited 1 after 5ms')],
      'reject',
      `Verification failed ${at}: b exited 1 after 5ms.`,
      false,
    ],
    [
      'one hung',
      [failed('a', 'did not end within 1s and was ended')],
      'reject',
      `Verification failed ${at}: a did not end within 1s and was ended.`,
      false,
    ],
    [
      'nothing to check',
      [],
      'reject',
      `Verification failed ${at}: there is nothing to check, so nothing is proven.`,
      false,
    ],
    [
      'a person accepted it',
      [{ type: 'waived', check: check('a'), reason: 'known' }],
      'pass',
      `Verified ${at}: waived (a: known).`,
      false,
    ],
    [
      'only advice failed',
      [passed('a'), { type: 'advised', check: check('b'), how: 'exited 1', output: '' }],
      'pass',
      `Verified ${at}: advised (b); passed: a.`,
      true,
    ],
  ])('%s', (_name, results, type, reason, proves) => {
    const verdict = verdictOf({ results, commit, inPlace: null });
    expect(verdict).toMatchObject({ type, reason });
    expect(isProof(verdict.ending)).toBe(proves);
  });

  it('gives the next attempt the failing part, bounded, and none for a pass', () => {
    const output = `noise\n${'x'.repeat(50_000)}\nError: wrong`;
    const { notes } = verdictOf({
      results: [failed('t', 'exited 1', output), failed('u', 'exited 2', 'short')],
      commit,
      inPlace: null,
    });
    expect(notes).toContain('Error: wrong');
    expect(notes).toContain('short');
    expect(notes?.length).toBeLessThan(8_000);
    expect(verdictOf({ results: [passed('t')], commit, inPlace: null }).notes).toBeNull();
  });

  it('says that there was no commit', () => {
    const { reason } = verdictOf({ results: [passed('a')], commit: null, inPlace: 'no git' });
    expect(reason).toBe('Verified in its folder, as it was (no git): passed (a).');
  });
});
