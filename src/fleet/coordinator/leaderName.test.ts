import { expect, it } from 'vitest';
import { startOfProcess } from '../../system/processLife.ts';
import { isSlotOf, slotNames } from './fleetSettings.ts';
import { isLeaderGone, leaderName, readLeaderName } from './leaderName.ts';

const me = { host: 'box.example', pid: process.pid, pidStart: startOfProcess(process.pid) ?? null };

it('names a coordinator so that it can be read again', () => {
  expect(readLeaderName(leaderName(me))).toEqual(me);
  expect(readLeaderName(leaderName({ ...me, pidStart: null }))).toEqual({ ...me, pidStart: null });
  expect(readLeaderName('anything')).toBeNull();
});

it('knows that one is gone only on its own host', () => {
  const dead = leaderName({ ...me, pidStart: '1' });
  expect(isLeaderGone(leaderName(me), me.host)).toBe(false);
  expect(isLeaderGone(dead, me.host)).toBe(true);
  expect(isLeaderGone(dead, 'elsewhere')).toBe(false);
  expect(isLeaderGone('anything', me.host)).toBe(false);
});

it('knows its own slots, also those of a larger fleet, and no others', () => {
  expect(slotNames('box', 2)).toEqual(['box-w1', 'box-w2']);
  expect(isSlotOf('box', 'box-w17')).toBe(true);
  // a shell, another fleet, a name that only begins alike
  for (const other of ['box-4711', 'box-review-w1', 'box2-w1', 'box-w1x', 'box-w']) {
    expect(isSlotOf('box', other)).toBe(false);
  }
});
