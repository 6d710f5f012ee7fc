import { readFileSync } from 'node:fs';
import type { Arrivals, TaskLengths } from '../../../fleet/simulate/scenario.ts';
import { ownValue } from '../../../system/ownValue.ts';
import { UserError } from '../../../system/userError.ts';
import { durationMs as plainDurationMs, wholeNumber } from '../task/readFlags.ts';

/** A duration in milliseconds; also accepts days (`7d`). */
export function durationMs<Text extends string | undefined>(flag: string, text: Text) {
  const days = Number(/^(\d{1,3})d$/.exec(text?.trim() ?? '')?.[1]);
  return days > 0 ? days * DAY_MS : plainDurationMs(flag, text, '30s, 10m, 1h30m or 7d');
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

export const DAY_MS = 86_400_000;
export const MOST_TASKS = 5_000_000;

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS };

/** `10/h` as a rate per millisecond. */
function rate(flag: string, text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\/([smhd])$/.exec(text.trim()) ?? [];
  const perMs = Number(number) / (ownValue(UNITS_MS, unit) ?? 1);
  if (!(perMs > 0)) throw new UserError(`${flag} must be a rate such as 10/h, 3/m, 0.5/s or 200/d, got "${text}".`);
  return perMs;
}

const ARRIVALS = '--arrivals';

const ARRIVAL_PATTERNS: Readonly<Record<string, (text: string) => Arrivals>> = {
  poisson: (text) => ({ type: 'poisson', perMs: rate(ARRIVALS, text || '10/h') }),
  every: (text) => ({ type: 'every', everyMs: durationMs(ARRIVALS, text) }),
  burst: (text) => {
    const [, size = '', interval] = /^(\d+)?(?:,every:(.+))?$/.exec(text || '100') ?? [];
    const everyMs = interval === undefined ? null : durationMs(ARRIVALS, interval);
    return { type: 'burst', size: wholeNumber(ARRIVALS, size || text, { least: 1, most: MOST_TASKS }), everyMs };
  },
  daily: (text) => {
    const perMs = /^\d+$/.test(text || '240') ? Number(text || 240) / DAY_MS : rate(ARRIVALS, text);
    if (perMs === 0) throw new UserError(`${ARRIVALS} daily:${text} has no tasks; write daily:200.`);
    return { type: 'daily', perMs };
  },
  file: (text) => readArrivalTimes(text),
};

/** `poisson:10/h` and the like, or a file of times. */
export function arrivalsOption(text: string): Arrivals {
  const [, name = '', rest = ''] = /^([a-z]+)(?::(.*))?$/.exec(text.trim()) ?? [];
  const pattern = ownValue(ARRIVAL_PATTERNS, name);
  return pattern === undefined ? readArrivalTimes(text) : pattern(rest);
}

/** One time per line: ISO times, counted from the first of them, or seconds from the start. */
function readArrivalTimes(file: string): Extract<Arrivals, { type: 'times' }> {
  const lines = read(file).split('\n');
  if (lines.length > MOST_TASKS) throw new UserError(`${file} has more than 5 million lines; use a part of it.`);
  const found = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [timeOf(line.trim(), `${file}:${index + 1}`)],
  );
  if (found.length === 0) throw new UserError(`${file} contains no times; write one per line.`);
  const times = Float64Array.from(found, ({ ms }) => ms).sort();
  const first = found.some(({ isCalendar }) => isCalendar) ? (times[0] ?? 0) : 0;
  return { type: 'times', times: times.map((ms) => ms - first) };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = missing ? 'is neither a pattern nor a file' : `cannot be read (${(error as Error).message})`;
    throw new UserError(
      `--arrivals ${file} ${why}; write poisson:10/h, every:5m, burst:200, daily:200 or a file of times.`,
    );
  }
}

function timeOf(text: string, where: string): { readonly ms: number; readonly isCalendar: boolean } {
  const isCalendar = !/^\d+(\.\d+)?$/.test(text);
  const ms = isCalendar ? Date.parse(text) : Number(text) * 1000;
  if (Number.isNaN(ms))
    throw new UserError(`${where}: "${text.slice(0, 40)}" is not a time; write 2026-01-31T09:00:00Z or seconds.`);
  return { ms, isCalendar };
}

const LENGTH = '--task-length';

const LENGTH_PATTERNS: Readonly<Record<string, (text: string) => TaskLengths>> = {
  fixed: (text) => ({ type: 'fixed', ms: durationMs(LENGTH, text) }),
  exp: (text) => ({ type: 'exponential', meanMs: durationMs(LENGTH, text) }),
  uniform: (text) => {
    const [from = '', to] = text.split('-');
    if (to === undefined) throw new UserError(`${LENGTH} uniform:${text} has no end; write uniform:1m-30m.`);
    const lengths = { type: 'uniform', fromMs: durationMs(LENGTH, from), toMs: durationMs(LENGTH, to) } as const;
    if (lengths.toMs < lengths.fromMs) throw new UserError(`${LENGTH} uniform:${text} ends before it begins.`);
    return lengths;
  },
  lognormal: (text) => {
    const [median = '', sigma = '1'] = text.split(',');
    const spread = Number(sigma);
    if (!(spread > 0 && spread <= 4))
      throw new UserError(`${LENGTH} lognormal:${text}: sigma must be above 0 and at most 4.`);
    return { type: 'lognormal', medianMs: durationMs(LENGTH, median), sigma: spread };
  },
};

/** `exp:12m` and the like; a duration alone is fixed. */
export function lengthOption(text: string): TaskLengths {
  const [, name = '', rest = ''] = /^([a-z]+):(.*)$/.exec(text.trim()) ?? [];
  const pattern = ownValue(LENGTH_PATTERNS, name);
  if (pattern !== undefined) return pattern(rest);
  if (/^\d/.test(text.trim())) return { type: 'fixed', ms: durationMs(LENGTH, text) };
  throw new UserError(
    `${LENGTH} ${text} is not a pattern; write exp:12m, uniform:1m-30m, lognormal:10m,1.2 or fixed:5m.`,
  );
}
