import { expect, it } from 'vitest';
import { hasCrashed, slotsAfterCrash } from './slotsAfterCrash.ts';

it.each([
  [null, 50],
  [100_001, 1],
  [100_000, 50],
])('a process has its own slot after a crash, for a while: %s', (crashedAt, slots) => {
  expect(slotsAfterCrash({ most: 50, crashedAt, now: 1_000_000 })).toBe(slots);
});

it.each([
  [{ code: null, signal: 'SIGKILL' }, true],
  [{ code: 70, signal: null }, true],
  [{ code: 134, signal: null }, true],
  [{ code: 0, signal: null }, false],
  [{ code: 69, signal: null }, false],
])('knows a crash: %j', (end, crashed) => expect(hasCrashed(end)).toBe(crashed));
