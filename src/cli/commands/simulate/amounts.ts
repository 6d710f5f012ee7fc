import { parseDuration } from '../../../budget/timeBudget.ts';
import { ownValue } from '../../../system/ownValue.ts';
import { UserError } from '../../../system/userError.ts';

/** A length of time in milliseconds; days too, as fleets run for weeks. */
export function durationMs(flag: string, text: string): number {
  const days = /^(\d{1,3})d$/.exec(text.trim())?.[1];
  const seconds = days === undefined ? parseDuration(text) : Number(days) * 86_400;
  if (!seconds) throw new UserError(`${flag} ${text} is not a length of time; write 90s, 20m, 1h30m or 7d.`);
  return seconds * 1000;
}

export function wholeNumber(flag: string, text: string, { least, most }: { least: number; most: number }): number {
  const value = /^\d{1,12}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  const range = `${least.toLocaleString('en-US')} to ${most.toLocaleString('en-US')}`;
  throw new UserError(`${flag} ${text} must be a whole number from ${range}.`);
}

/** `5%`, `0.05%`, or a share such as 0.05. */
export function share(flag: string, text: string): number {
  const [, number, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim()) ?? [];
  const value = number === undefined ? Number.NaN : Number(number) / (percent ? 100 : 1);
  if (value >= 0 && value <= 1) return value;
  throw new UserError(`${flag} ${text} is not a share; write 5% or 0.05.`);
}

export function money(flag: string, text: string): number {
  const amount = Number(text.replace(/^\$/, ''));
  if (text.trim() === '' || !(amount >= 0 && amount < 1e9)) {
    throw new UserError(`${flag} ${text} is not an amount of money; write 2 or 0.40.`);
  }
  return amount;
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `10/h` as a number in each millisecond. */
export function rate(flag: string, text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\/([smhd])$/.exec(text.trim()) ?? [];
  const perMs = Number(number) / (ownValue(UNITS_MS, unit) ?? 1);
  if (!(perMs > 0)) throw new UserError(`${flag} ${text} is not a rate; write 10/h, 3/m, 0.5/s or 200/d.`);
  return perMs;
}
