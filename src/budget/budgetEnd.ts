/** The end of the time budget; the first one wins, as in budget-countdown.sh and landing.sh. */
export const BUDGET_END = 'STOPGATE_BUDGET_END';
export const BUDGET_END_ALIAS = 'AUTORESEARCH_BUDGET_END';

type Environment = Readonly<Record<string, string | undefined>>;

/** Fractions are dropped; 15 digits are exact in every reader. */
const NUMBER = /^[ \t\n\v\f\r]*(\d{1,15})(?:\.\d*)?[ \t\n\v\f\r]*$/;
/** In seconds this is the year 5138, in milliseconds 1973. */
const SURELY_MILLISECONDS = 100_000_000_000;

/**
 * When the budget ends, in Unix seconds. Fractions, surrounding blanks and milliseconds are accepted; any other value is
 * skipped, so that it does not hide the other variable. Null when neither holds a time.
 */
export function readBudgetEnd(env: Environment): number | null {
  return secondsIn(env[BUDGET_END]) ?? secondsIn(env[BUDGET_END_ALIAS]);
}

/** One sentence per variable that is set but does not hold a time. */
export function budgetEndWarnings(env: Environment): readonly string[] {
  return [BUDGET_END, BUDGET_END_ALIAS].flatMap((name) => {
    const value = env[name];
    if (value === undefined || value.trim() === '' || secondsIn(value) !== null) return [];
    const shown = JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
    return [`${name} must be a time in Unix seconds, got ${shown}; it is ignored.`];
  });
}

function secondsIn(text: string | undefined): number | null {
  const digits = NUMBER.exec(text ?? '')?.[1];
  if (digits === undefined) return null;
  const number = Number(digits);
  return number < SURELY_MILLISECONDS ? number : Math.floor(number / 1000);
}
