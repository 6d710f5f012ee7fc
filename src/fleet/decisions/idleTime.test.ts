import { describe, expect, it } from 'vitest';
import { type IdleWorker, idleMs, idleSince } from './idleTime.ts';

const worker: IdleWorker = { registeredAt: 100, lastClaimedAt: null, lastSettledAt: null, taskId: null };

describe('idle time', () => {
  it.each<[string, Partial<IdleWorker>, number | null]>([
    ['registered', {}, 100],
    ['claimed, offer expired', { lastClaimedAt: 200 }, 200],
    ['settled', { lastClaimedAt: 200, lastSettledAt: 300 }, 300],
    ['registered again after a task', { lastSettledAt: 50 }, 100],
    ['holding a task', { lastClaimedAt: 200, taskId: 't' }, null],
    ['woken after a sleep', { lastSettledAt: 300, awakeSince: 900 }, 900],
  ])('counts from the latest sign: %s', (_name, facts, since) => {
    expect(idleSince({ ...worker, ...facts })).toBe(since);
  });

  it('is zero while a task is held, however long', () => {
    expect(idleMs({ ...worker, taskId: 't' }, 1e12)).toBe(0);
  });

  it('is never negative when the clock was set back', () => {
    expect(idleMs(worker, 40)).toBe(0);
  });
});
