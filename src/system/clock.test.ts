import { expect, it } from 'vitest';
import { steadyTime } from './clock.ts';

const HOUR = 3_600_000;

function machine() {
  let wallMs = 1_800_000_000_000;
  let monotonicMs = 5_000;
  let sleptMs = 700;
  const now = steadyTime({
    wall: () => wallMs,
    monotonic: () => monotonicMs,
    // as coarse as /proc/uptime
    sinceBoot: () => Math.floor((monotonicMs + sleptMs) / 10) * 10,
  });
  return {
    now,
    pass: (ms: number) => {
      wallMs += ms;
      monotonicMs += ms;
    },
    setClock: (byMs: number) => {
      wallMs += byMs;
    },
    sleep: (ms: number) => {
      wallMs += ms;
      sleptMs += ms;
    },
  };
}

it('starts at the wall time and passes with it', () => {
  const { now, pass } = machine();
  expect(now()).toBe(1_800_000_000_000);
  pass(1_234);
  expect(now()).toBe(1_800_000_001_234);
});

it.each([-HOUR, HOUR, -1_500, 900, -900])('a clock that is set by %i ms does not move it', (byMs) => {
  const { now, pass, setClock } = machine();
  const startedAt = now();
  pass(1_000);
  setClock(byMs);
  expect(now() - startedAt).toBe(1_000);
  pass(1_000);
  setClock(-byMs);
  expect(now() - startedAt).toBe(2_000);
});

it('time that the machine slept has passed, also when the clock was set meanwhile', () => {
  const { now, pass, setClock, sleep } = machine();
  const startedAt = now();
  sleep(HOUR);
  expect(now() - startedAt).toBe(HOUR);
  setClock(-HOUR);
  sleep(2 * HOUR);
  pass(5);
  expect(Math.abs(now() - startedAt - 3 * HOUR)).toBeLessThan(30);
});

it('gives whole milliseconds', () => {
  const now = steadyTime({ wall: () => 1000, monotonic: () => performance.now(), sinceBoot: () => 0 });
  expect(Number.isInteger(now())).toBe(true);
});
