import { BUDGET_END, BUDGET_END_ALIAS } from '../../budget/budgetEnd.ts';
import { BOOTED_AT, GRACE_END, hookNow } from '../../stop/clock.ts';
import { type Clock, wallNow } from '../../system/clock.ts';

type Env = Readonly<Record<string, string>>;

/** Ignores the small steps of a time server. */
const SET_SECONDS = 2;

const LATER: Readonly<Record<string, (value: string, seconds: number) => string>> = {
  [BUDGET_END]: (value, seconds) => shifted(value, seconds),
  [BUDGET_END_ALIAS]: (value, seconds) => shifted(value, seconds),
  [GRACE_END]: (value, seconds) => shifted(value, seconds),
  [BOOTED_AT]: (value, seconds) => value.replace(/\d+$/, (hundredths) => shifted(hundredths, seconds * 100)),
};

const shifted = (value: string, by: number) => (/^\d{1,15}$/.test(value) ? String(Number(value) + by) : value);

/**
 * An environment whose budget times are computed when a hook starts: hooks compare them with the machine's clock, which may
 * have been set since the session began.
 */
export function liveBudget(env: Env, clock: Clock): Env {
  const live: Record<string, string> = { ...env };
  for (const [name, later] of Object.entries(LATER)) {
    const value = env[name];
    if (!value) continue;
    Object.defineProperty(live, name, {
      enumerable: true,
      get: () => {
        const seconds = Math.round((wallNow(clock) - hookNow(env, clock)) / 1000);
        return Math.abs(seconds) < SET_SECONDS ? value : later(value, seconds);
      },
    });
  }
  return live;
}
