import { describe, expect, it } from 'vitest';
import type { JudgeRule } from '../../checks/types.ts';
import type { Verdict } from '../verdict.ts';
import type { JudgeAnswer } from './askJudge.ts';
import { decideJudged, waitForJudge } from './decideJudged.ts';

const checks: Verdict = {
  type: 'pass',
  ending: { type: 'passed', reason: 'passed (tests)', checks: [{ name: 'tests', outcome: 'passed' }] },
  reason: 'Verified in a clean checkout of abc: passed (tests).',
  notes: null,
};
type Judgement = JudgeAnswer['judgement'];
const ok: Judgement = { type: 'ok', reason: 'it does' };
const rejected: Judgement = { type: 'rejected', reason: 'the zone is ignored' };
const none: Judgement = { type: 'none', reason: 'no key.' };
const accept: Pick<JudgeRule, 'onError' | 'maxRejections'> = { onError: 'accept', maxRejections: 2 };
const block = { ...accept, onError: 'block' } as const;

describe('decideJudged', () => {
  it.each<[string, Judgement, typeof accept, number, 'pass' | 'reject', boolean]>([
    ['ok', ok, accept, 0, 'pass', false],
    ['ok after rejections', ok, accept, 5, 'pass', false],
    ['ok, where no verdict blocks', ok, block, 0, 'pass', false],
    ['a first rejection', rejected, accept, 0, 'reject', false],
    ['the last one that may go back', rejected, accept, 1, 'reject', true],
    ['one more after a person gave it another try', rejected, accept, 2, 'reject', true],
    ['a rejection where one is enough', rejected, { ...accept, maxRejections: 1 }, 0, 'reject', true],
    ['no verdict', none, accept, 0, 'pass', false],
    ['no verdict after rejections', none, accept, 9, 'pass', false],
  ])('%s', (_name, judgement, rule, rejections, type, isHeld) => {
    const decided = decideJudged({ checks, judgement, rule, rejections });
    expect(decided).toMatchObject({ type: 'settle', verdict: { type } });
    expect(decided.type === 'settle' && decided.hold !== null).toBe(isHeld);
  });

  it('waits for a verdict where none blocks, and never rejects for it', () => {
    const decided = decideJudged({ checks, judgement: none, rule: block, rejections: 9 });
    expect(decided).toEqual({ type: 'wait', reason: 'judge: no verdict (no key)' });
  });

  it('words each outcome, and keeps what the checks proved', () => {
    const of = (judgement: Judgement, rejections = 0) => {
      const decided = decideJudged({ checks, judgement, rule: accept, rejections });
      if (decided.type !== 'settle') throw new Error(decided.type);
      return decided;
    };
    expect(of(ok).verdict).toEqual({
      ...checks,
      reason: 'Verified in a clean checkout of abc: passed (tests); judge: ok.',
    });
    expect(of(none).verdict.reason).toBe(
      'Verified in a clean checkout of abc: passed (tests); judge: no verdict (no key).',
    );
    const { verdict, hold } = of(rejected, 1);
    expect(verdict.reason).toBe('The judge rejected the work, whose checks passed: the zone is ignored.');
    expect(verdict.ending).toMatchObject({ type: 'blocked', checks: [{ name: 'tests', outcome: 'passed' }] });
    expect(verdict.notes).toContain('the zone is ignored');
    expect(hold).toBe('its judge rejected it 2 times, the last time: the zone is ignored.');
  });
});

describe('waitForJudge', () => {
  it('doubles up to an hour', () => {
    expect([1, 2, 3, 7, 100].map(waitForJudge)).toEqual([60_000, 120_000, 240_000, 3_600_000, 3_600_000]);
  });
});
