import { expect, it } from 'vitest';
import { hookEnvironment } from '../../hooks/kinds/environment.ts';
import { bootedAt, hookClock, hookNow } from '../../stop/clock.ts';
import { fakeClock } from '../../testing/fakeClock.ts';
import { liveBudget } from './liveBudget.ts';

const START = Date.UTC(2026, 10, 15, 12);
const HOUR = 3_600_000;

it.each([-HOUR, HOUR])('hooks get an end that is right by the clock they read, set by %i ms', async (byMs) => {
  const clock = fakeClock(START);
  const end = START / 1000 + 600;
  const env = {
    A: 'b',
    STOPGATE_BUDGET_END: String(end),
    AUTORESEARCH_BUDGET_END: String(end),
    STOPGATE_GRACE_END: String(end + 60),
    STOPGATE_BOOTED_AT: bootedAt(clock),
  };
  const live = liveBudget(env, clock);
  const given = () => hookEnvironment({ inherited: live, projectDir: '/p', sessionId: 's', pid: 1 });
  await clock.advance(10_000);
  expect(given()).toMatchObject(env);
  clock.setWall(byMs);
  await clock.advance(10_000);
  const after = given();
  expect(after).toMatchObject({
    A: 'b',
    STOPGATE_BUDGET_END: String(end + byMs / 1000),
    AUTORESEARCH_BUDGET_END: String(end + byMs / 1000),
    STOPGATE_GRACE_END: String(end + 60 + byMs / 1000),
  });
  const hooks = { ...clock, now: () => clock.wall?.() ?? 0 };
  expect(hookClock(after, hookNow(after, hooks))?.remainingSeconds).toBe(580);
  clock.setWall(-byMs);
  expect(given()).toMatchObject(env);
});

it('ignores values that are not times', () => {
  const clock = fakeClock(START);
  const live = liveBudget({ STOPGATE_BUDGET_END: 'soon', STOPGATE_BOOTED_AT: '' }, clock);
  clock.setWall(HOUR);
  expect({ ...live }).toEqual({ STOPGATE_BUDGET_END: 'soon', STOPGATE_BOOTED_AT: '' });
});
