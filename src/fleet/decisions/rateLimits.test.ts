import { describe, expect, it } from 'vitest';
import { type PauseFacts, pauseUntil } from './rateLimits.ts';
import { jitterOf } from './restartBudget.ts';

const MINUTE = 60_000;
const now = 1_000_000 * MINUTE;
const facts: PauseFacts = { now, attempt: 0, random: 0 };

describe('how long an account is paused', () => {
  it.each<[string, Partial<PauseFacts>, number]>([
    ['the provider names a time', { resetAt: now + 20 * MINUTE }, 20 * MINUTE],
    ['it names a length', { retryAfterMs: 30_000 }, 30_000],
    ['it names both: the later', { resetAt: now + MINUTE, retryAfterMs: 5 * MINUTE }, 5 * MINUTE],
    ['spread by a tenth', { resetAt: now + 20 * MINUTE, random: 0.5 }, 21 * MINUTE],
    ['spread by five minutes at most', { resetAt: now + 600 * MINUTE, random: 0.999999 }, 605 * MINUTE - 1],
    ['it names nothing', {}, MINUTE],
    ['nothing, again', { attempt: 3 }, 8 * MINUTE],
    ['nothing, for the hundredth time', { attempt: 100 }, 60 * MINUTE],
    ['a time that has passed', { resetAt: now - MINUTE, attempt: 1 }, 2 * MINUTE],
    ['a time in a hundred years', { resetAt: now * 10 }, 8 * 1440 * MINUTE],
  ])('%s', (_name, more, pauseMs) => {
    expect(pauseUntil({ ...facts, ...more }) - now).toBe(pauseMs);
  });

  it('wakes a hundred workers apart, none before the reset', () => {
    const resetAt = now + 20 * MINUTE;
    const wakes = Array.from({ length: 100 }, (_unused, n) =>
      pauseUntil({ ...facts, resetAt, random: jitterOf(`worker-${n}`) }),
    );
    expect(Math.min(...wakes)).toBeGreaterThanOrEqual(resetAt);
    expect(new Set(wakes.map((at) => Math.floor(at / 5_000))).size).toBeGreaterThan(20);
  });
});
