import type { LandingClock } from '../../gates/landing/decideLanding.ts';

/** The end of the time budget in Unix seconds; STOPGATE_BUDGET_END wins, as in budget-countdown.sh. */
export const BUDGET_END = 'STOPGATE_BUDGET_END';
export const BUDGET_END_ALIAS = 'AUTORESEARCH_BUDGET_END';
/** When the agent is ended, in Unix seconds. */
export const GRACE_END = 'STOPGATE_GRACE_END';

/** How many seconds of the end are the last stretch; two minutes unless told. */
export const LAST_STRETCH = 'STOPGATE_LAST_STRETCH';

/** The clock that a launcher put into the environment; null without one, or when it is not a number. */
export function hookClock(env: Readonly<Record<string, string | undefined>>, nowMs: number): LandingClock | null {
  const end = secondsIn(env[BUDGET_END] || env[BUDGET_END_ALIAS]);
  if (end === null) return null;
  const now = Math.floor(nowMs / 1000);
  const graceEnd = secondsIn(env[GRACE_END]);
  const lastStretchSeconds = secondsIn(env[LAST_STRETCH]);
  return {
    remainingSeconds: end - now,
    graceSecondsLeft: graceEnd === null ? null : graceEnd - now,
    ...(lastStretchSeconds !== null && { lastStretchSeconds }),
  };
}

const secondsIn = (text: string | undefined) => (text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null);
