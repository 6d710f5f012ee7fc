import { describe, expect, it } from 'vitest';
import { needsVerifier } from '../../store/verification.ts';
import { type VerifiedFacts, verifiedBy } from './armVerification.ts';

describe('verifiedBy', () => {
  const facts = { verify: null, isArmed: false, byDefault: true, judge: null };
  it.each<[string, Partial<VerifiedFacts>, ReturnType<typeof verifiedBy>]>([
    ['no commands, no definition of done', {}, 'nothing'],
    ['a definition of done', { isArmed: true }, 'definition'],
    ['a definition of done, and a worker with --no-verify', { isArmed: true, byDefault: false }, 'nothing'],
    ['commands', { verify: 'npm test' }, 'commands'],
    ['commands, and a worker with --no-verify', { verify: 'npm test', byDefault: false }, 'commands'],
    ['commands come before the definition of done', { verify: 'npm test', isArmed: true }, 'commands'],
    ['a task with --no-verify', { verify: '', isArmed: true }, 'nothing'],
    ['a judge after a definition of done', { isArmed: true, judge: 'good' }, 'definition'],
    ['a judge after commands', { verify: 'npm test', judge: 'good' }, 'commands'],
    ['a judge with nothing before it', { judge: 'good' }, 'judgeAlone'],
    ['a judge, and a worker with --no-verify', { isArmed: true, byDefault: false, judge: 'good' }, 'judgeAlone'],
  ])('%s', (_name, given, by) => {
    expect(verifiedBy({ ...facts, ...given })).toBe(by);
  });
});

describe('needsVerifier', () => {
  it.each<[string | null, string | undefined, boolean]>([
    [null, undefined, false],
    [null, 'definition of done', true],
    ['', 'definition of done', false],
    ['', undefined, false],
    ['npm test', undefined, true],
  ])('task %s, attempt %s', (verify, ofAttempt, needed) => {
    expect(needsVerifier(verify, ofAttempt === undefined ? {} : { verify: ofAttempt })).toBe(needed);
  });
});
