import { readBudgetEnd } from '../budget/budgetEnd.ts';
import type { WholeBudget } from '../budget/timeBudget.ts';
import type { Clock } from '../system/clock.ts';
import type { Environment } from '../system/environment.ts';
import type { LandingClock } from './landing/decideLanding.ts';

/** When the agent is ended, in Unix seconds. */
export const GRACE_END = 'STOPGATE_GRACE_END';

/** The length of the last stretch in seconds; two minutes by default. */
export const LAST_STRETCH = 'STOPGATE_LAST_STRETCH';

/** The whole budget in seconds; without it the countdown changes as for a long one. */
export const BUDGET_TOTAL = 'STOPGATE_BUDGET_TOTAL';

/**
 * The boot id of the launcher's machine and its boot time in hundredths of a second, by the clock of the times above. The
 * machine's clock can be set while an agent runs; time since boot cannot.
 */
export const BOOTED_AT = 'STOPGATE_BOOTED_AT';

/** The value a launcher writes there; empty where the system does not report it. */
export function bootedAt(clock: Clock): string {
  const boot = clock.sinceBoot?.();
  return boot ? `${boot.id} ${Math.round((clock.now() - boot.ms()) / 10)}` : '';
}

/** Now, by the clock that the budget's end was written with; budget-countdown.sh and landing.sh compute the same. */
export function hookNow(env: Environment, clock: Pick<Clock, 'now' | 'sinceBoot'>): number {
  const booted = env[BOOTED_AT];
  if (!booted) return clock.now();
  const [, id, hundredths] = /^(\S+) (\d{1,15})$/.exec(booted) ?? [];
  const boot = id === undefined ? null : clock.sinceBoot?.();
  return boot && boot.id === id ? Number(hundredths) * 10 + boot.ms() : clock.now();
}

export interface HookClock extends LandingClock, WholeBudget {}

/** The clock that a launcher put into the environment; null without one, or when it is not a number. */
export function hookClock(env: Environment, nowMs: number): HookClock | null {
  const end = readBudgetEnd(env);
  if (end === null) return null;
  const now = Math.floor(nowMs / 1000);
  const graceEnd = secondsIn(env[GRACE_END]);
  const lastStretchSeconds = secondsIn(env[LAST_STRETCH]);
  const totalSeconds = secondsIn(env[BUDGET_TOTAL]);
  return {
    remainingSeconds: end - now,
    graceSecondsLeft: graceEnd === null ? null : graceEnd - now,
    ...(lastStretchSeconds !== null && { lastStretchSeconds }),
    ...(totalSeconds !== null && { totalSeconds }),
  };
}

const secondsIn = (text: string | undefined) => (text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null);
