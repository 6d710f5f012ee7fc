import { describe, expect, it } from 'vitest';
import { decideRestart, RESTART_POLICIES, type RunEnd } from './restartBudget.ts';

const MINUTE = 60_000;
const now = 1_000 * MINUTE;

const crash = (agoMs = 0, ranMs = 1_000): RunEnd => ({
  startedAt: now - agoMs - ranMs,
  endedAt: now - agoMs,
  ending: 'crashed',
  madeProgress: false,
});
const fruitless = (agoMs = 0): RunEnd => ({ ...crash(agoMs), ending: 'clean' });
const good = (agoMs = 0): RunEnd => ({ ...crash(agoMs, 20 * MINUTE), ending: 'clean', madeProgress: true });
const many = (count: number, end: (agoMs: number) => RunEnd) =>
  Array.from({ length: count }, (_unused, n) => end(n * 1_000));
const decide = (ends: readonly RunEnd[], at = now, policy: keyof typeof RESTART_POLICIES = 'slot') =>
  decideRestart({ now: at, ends, policy: RESTART_POLICIES[policy], jitter: 0.5 });
const waits = (why: string, ms: number) => ({ type: 'wait', why, untilAt: now + ms });

describe('starting a worker again', () => {
  it.each<[string, readonly RunEnd[], object]>([
    ['never started', [], { type: 'start' }],
    ['a clean exit with progress is continued', [good()], waits('continuation', 1_000)],
    ['one crash', [crash()], waits('backoff', 2_000)],
    ['two crashes', many(2, crash), waits('backoff', 4_000)],
    ['a crash before good work is forgotten', [good(), ...many(4, crash)], waits('continuation', 1_000)],
    ['a crash after good work begins anew', [crash(), good(MINUTE), ...many(4, crash)], waits('backoff', 2_000)],
    ['five crashes in ten minutes are a loop', many(5, crash), waits('crashLoop', 15.75 * MINUTE)],
    ['five crashes in an hour are not', many(5, (ago) => crash(ago * 900)), waits('backoff', 32_000)],
    [
      'launches that failed count too',
      many(5, (ago) => ({ ...crash(ago), ending: 'launchFailed' })),
      { why: 'crashLoop' },
    ],
    ['clean exits without progress back off', many(3, fruitless), waits('backoff', 8_000)],
    ['clean exits without progress are bounded', many(5, fruitless), { why: 'fruitless' }],
    ['stopped when idle', [{ ...crash(), ending: 'idle' }], { type: 'start' }],
    ['a rate limit is not a crash', many(9, (ago) => ({ ...crash(ago), ending: 'rateLimited' })), { type: 'start' }],
    ['a rate limit does not hide a crash', [{ ...crash(), ending: 'rateLimited' }, crash()], { why: 'backoff' }],
    [
      'long and stable with progress, then crashed',
      [{ ...crash(0, 6 * MINUTE), madeProgress: true }],
      { type: 'start' },
    ],
    ['long without progress, then crashed', [crash(0, 60 * MINUTE)], { why: 'backoff' }],
  ])('%s', (_name, ends, decision) => {
    expect(decide(ends)).toMatchObject(decision);
  });

  it('starts when the wait is over, and retries a loop after its pause', () => {
    expect(decide([crash()], now + 2_000)).toEqual({ type: 'start' });
    expect(decide(many(5, crash), now + 16 * MINUTE)).toEqual({ type: 'start' });
  });

  it('never waits longer than the longest delay, jitter aside', () => {
    const ends = many(4, crash).concat(many(60, (ago) => crash(20 * MINUTE + ago * 200)));
    expect(decide(ends)).toEqual(waits('backoff', 5 * MINUTE));
  });

  it('pauses a task after three crashes, a host only after twenty', () => {
    expect(decide(many(3, crash), now, 'task')).toMatchObject({ why: 'crashLoop' });
    expect(decide(many(19, crash), now, 'host')).toEqual({ type: 'start' });
    expect(decide(many(20, crash), now, 'host')).toMatchObject({ why: 'crashLoop' });
  });

  it('spreads what crashed together', () => {
    const at = (jitter: number) => decideRestart({ now, ends: [crash()], policy: RESTART_POLICIES.slot, jitter });
    expect(at(0)).toMatchObject({ untilAt: now + 1_000 });
    expect(at(0.999)).toMatchObject({ untilAt: now + 2_998 });
  });
});
