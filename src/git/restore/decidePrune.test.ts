import { describe, expect, it } from 'vitest';
import { decidePrune, type PruneMarks, type PruneTime } from './decidePrune.ts';

const DAY = 86_400_000;
const NOW = 1_000 * DAY;
const time = (days: number, boot = 'this', bootDays = 10): PruneTime => ({
  wall: NOW + days * DAY,
  boot: { id: boot, ms: bootDays * DAY },
});

const state = (daysAgo: number, boot?: string) => ({
  commit: 'c',
  keptAt: NOW - daysAgo * DAY,
  record: { base: undefined, boot },
});

const decide = (one: ReturnType<typeof state>, now: PruneTime, marks: PruneMarks = {}) => {
  const { remove, announce, marks: next } = decidePrune({ states: [one], marks, now, olderThanMs: 30 * DAY });
  return remove.has('c') ? 'remove' : announce.has('c') ? 'announce' : 'c' in next ? 'wait' : 'keep';
};

describe('a state kept since the machine started', () => {
  const kept = state(2, `this ${8 * DAY}`);
  it.each([
    ['young by both clocks', time(0), 'keep'],
    ['a clock that is a year ahead', time(365), 'keep'],
    ['a clock that is a year behind', time(-365), 'keep'],
    ['old by the time since the start', time(0, 'this', 50), 'remove'],
    ['old, and the clock is behind', time(-365, 'this', 50), 'remove'],
    ['after a restart, the clock decides', time(0, 'next'), 'keep'],
    ['after a restart with a clock that is ahead', time(365, 'next'), 'announce'],
  ])('%s', (_name, now, expected) => expect(decide(kept, now)).toBe(expected));

  it('is not removed although it was announced while the clock was ahead', () => {
    expect(decide(kept, time(500), { c: time(365, 'before') })).toBe('keep');
  });
});

describe('a state of an earlier start of the machine', () => {
  const [old, young] = [state(31, `before ${DAY}`), state(29, `before ${DAY}`)];
  it.each([
    ['young', young, time(0), {}, 'keep'],
    ['old for the first time', old, time(0), {}, 'announce'],
    ['old, announced an hour ago', old, time(0.04, 'this', 10.04), { c: time(0) }, 'wait'],
    ['old, announced an hour ago, and the clock was set', old, time(300, 'this', 10.04), { c: time(0) }, 'wait'],
    ['old, announced a day ago', old, time(1, 'this', 11), { c: time(0) }, 'remove'],
    ['old, announced a day ago before a restart', old, time(1, 'next', 0), { c: time(0) }, 'remove'],
    ['old, announced an hour ago before a restart', old, time(0.04, 'next', 0), { c: time(0) }, 'wait'],
    ['young again, because the clock was set back', young, time(0, 'this', 50), { c: time(365) }, 'keep'],
    ['of a version that did not record it', state(31), time(0), {}, 'announce'],
  ] as const)('%s', (_name, one, now, marks, expected) => expect(decide(one, now, marks)).toBe(expected));

  it('uses the wall clock alone where the system has no other', () => {
    const plain = (days: number): PruneTime => ({ wall: NOW + days * DAY, boot: null });
    expect(decide(old, plain(0))).toBe('announce');
    expect(decide(old, plain(0.5), { c: plain(0) })).toBe('wait');
    expect(decide(old, plain(1), { c: plain(0) })).toBe('remove');
  });
});
