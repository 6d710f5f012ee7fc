import { describe, expect, it } from 'vitest';
import { afterBlock, changedSince, NO_STOPS, type SentBack, type StopHistory } from './stopHistory.ts';
import { PASS } from './stopResult.ts';

const sentBack = (more: Partial<SentBack> = {}): SentBack => ({
  ...{ result: { ...PASS, blockedBy: ['h'], blockReasons: ['more'] }, changed: null, isDone: false, work: 'w' },
  ...{ isOwn: false, ...more },
});

/** The history after these stops, one after the other. */
const historyOf = (...stops: readonly Partial<SentBack>[]): StopHistory =>
  stops.reduce<StopHistory>((history, stop) => afterBlock(history, sentBack(stop)), NO_STOPS);

describe('the history of stops', () => {
  it.each<[string, StopHistory, Partial<StopHistory>]>([
    ['one block', historyOf({}), { attempts: 1, blocks: 1, unchanged: 0, afterDone: 0, work: 'w' }],
    [
      'nothing changes',
      historyOf({}, { changed: false }, { changed: false }),
      { attempts: 3, blocks: 3, unchanged: 2 },
    ],
    ['a change starts anew', historyOf({}, { changed: false }, { changed: true }), { blocks: 3, unchanged: 0 }],
    ['an unknown state starts anew', historyOf({ changed: false }, { changed: null }), { unchanged: 0 }],
    ['done, and still sent back', historyOf({ isDone: true }, { isDone: true }), { afterDone: 2 }],
    ['done no more', historyOf({ isDone: true }, { isDone: false }), { afterDone: 0, blocks: 2 }],
    [
      'our own gates',
      historyOf({ isOwn: true, changed: false, isDone: true }),
      { attempts: 1, blocks: 0, unchanged: 0, afterDone: 0 },
    ],
  ])('%s', (_what, history, expected) => {
    expect(history).toMatchObject(expected);
  });

  it('keeps the last five reasons of each hook, cut short', () => {
    const by = (hook: string, reason: string) => ({ result: { ...PASS, blockedBy: [hook], blockReasons: [reason] } });
    const stops = Array.from({ length: 7 }, (_, at) => by('a', `${at}${'x'.repeat(2_000)}`));
    const { reasons } = historyOf(...stops, by('constructor', 'no'));
    expect(reasons.a?.map((reason) => reason[0])).toEqual(['2', '3', '4', '5', '6']);
    expect(reasons.a?.[0]).toHaveLength(500);
    expect(reasons.constructor).toEqual(['no']);
  });
});

it.each([
  [null, 'a', null],
  ['a', null, null],
  ['a', 'a', false],
  ['a', 'b', true],
])('from %s to %s: %s', (work, now, changed) => {
  expect(changedSince({ work }, now)).toBe(changed);
});
