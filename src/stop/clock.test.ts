import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { countdownOutput } from '../budget/timeBudget.ts';
import { systemClock } from '../system/clock.ts';
import { fakeClock } from '../testing/fakeClock.ts';
import { BOOTED_AT, bootedAt, hookClock, hookNow } from './clock.ts';

const SCRIPT = path.join(import.meta.dirname, '../../profiles/default/hooks/budget-countdown.sh');
const START = Date.UTC(2026, 10, 15, 12);
const HOUR = 3_600_000;

describe('now, by the clock that a budget was written with', () => {
  it.each([-HOUR, HOUR])('a clock that is set by %i ms does not move it', async (byMs) => {
    const clock = fakeClock(START);
    const env = { STOPGATE_BUDGET_END: String(START / 1000 + 60), [BOOTED_AT]: bootedAt(clock) };
    await clock.advance(20_000);
    clock.setWall(byMs);
    // a hook is a new process: its own clock starts with the wall time
    const hooks = { ...clock, now: () => clock.wall?.() ?? 0 };
    expect(hookClock(env, hookNow(env, hooks))?.remainingSeconds).toBe(40);
  });

  it.each([
    ['nothing', undefined],
    ['an empty one', ''],
    ['another start of the machine', 'b0b 12'],
    ['no number', 'fake-boot x'],
  ])('%s: uses its own clock', (_name, value) => {
    expect(hookNow({ [BOOTED_AT]: value }, fakeClock(START))).toBe(START);
  });
});

const run = (env: Record<string, string>) =>
  execFileSync(SCRIPT, {
    env: { PATH: process.env.PATH ?? '', STOPGATE_BUDGET_NOW: '1800000000', STOPGATE_BUDGET_END: '1800009999', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });

describe.skipIf(bootedAt(systemClock) === '')('the script', () => {
  it('goes by the time since boot where a launcher wrote it down', () => {
    const [id, hundredths] = bootedAt(systemClock).split(' ');
    for (const aheadSeconds of [0, 100, 5_000, -100_000]) {
      const env = {
        [BOOTED_AT]: `${id} ${Number(hundredths) + aheadSeconds * 100}`,
        STOPGATE_BUDGET_END: String(Math.floor(systemClock.now() / 1000) + 7_200),
      };
      const printed = run(env);
      const left = hookClock(env, hookNow(env, systemClock))?.remainingSeconds ?? 0;
      expect([countdownOutput(left), countdownOutput(left + 1)]).toContain(printed);
    }
  });

  it.each([
    'x',
    '12',
    ' 12',
    'id a[$(touch /tmp/stopgate-pwned)]',
    `${bootedAt(systemClock)}0000000000000000`,
    'other 178000000000',
  ])('%s is ignored', (value) => {
    expect(run({ [BOOTED_AT]: value })).toBe(countdownOutput(9_999));
  });
});
