import { ownValue } from '../../../system/ownValue.ts';
import { UserError } from '../../../system/userError.ts';
import { durationMs as plainDurationMs } from '../task/readFlags.ts';

/** A duration in milliseconds; also accepts days (`7d`). */
export function durationMs(flag: string, text: string): number {
  const days = /^(\d{1,3})d$/.exec(text.trim())?.[1];
  return Number(days) > 0 ? Number(days) * 86_400_000 : plainDurationMs(flag, text, '30s, 10m, 1h30m or 7d');
}

/** `5%`, `0.05%`, or a share such as 0.05. */
export function share(flag: string, text: string): number {
  const [, number, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim()) ?? [];
  const value = number === undefined ? Number.NaN : Number(number) / (percent ? 100 : 1);
  if (value >= 0 && value <= 1) return value;
  throw new UserError(`${flag} must be a share such as 5% or 0.05, got "${text}".`);
}

export function money(flag: string, text: string): number {
  const amount = Number(text.replace(/^\$/, ''));
  if (text.trim() === '' || !(amount >= 0 && amount < 1e9)) {
    throw new UserError(`${flag} must be an amount of money such as 2 or 0.40, got "${text}".`);
  }
  return amount;
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `10/h` as a rate per millisecond. */
export function rate(flag: string, text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\/([smhd])$/.exec(text.trim()) ?? [];
  const perMs = Number(number) / (ownValue(UNITS_MS, unit) ?? 1);
  if (!(perMs > 0)) throw new UserError(`${flag} must be a rate such as 10/h, 3/m, 0.5/s or 200/d, got "${text}".`);
  return perMs;
}
