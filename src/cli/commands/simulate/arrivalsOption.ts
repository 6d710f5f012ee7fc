import { readFileSync } from 'node:fs';
import type { Arrivals } from '../../../fleet/simulate/scenario.ts';
import { UserError } from '../../../system/userError.ts';
import { wholeNumber } from '../task/readFlags.ts';
import { durationMs, rate } from './amounts.ts';

const FLAG = '--arrivals';
const MOST_TASKS = 5_000_000;
const DAY_MS = 86_400_000;

const PATTERNS: Readonly<Record<string, (text: string) => Arrivals>> = {
  poisson: (text) => ({ type: 'poisson', perMs: rate(FLAG, text || '10/h') }),
  every: (text) => ({ type: 'every', everyMs: durationMs(FLAG, text) }),
  burst: (text) => {
    const [, size = '', interval] = /^(\d+)?(?:,every:(.+))?$/.exec(text || '100') ?? [];
    const everyMs = interval === undefined ? null : durationMs(FLAG, interval);
    return { type: 'burst', size: wholeNumber(FLAG, size || text, { least: 1, most: MOST_TASKS }), everyMs };
  },
  daily: (text) => {
    const perMs = /^\d+$/.test(text || '240') ? Number(text || 240) / DAY_MS : rate(FLAG, text);
    if (perMs === 0) throw new UserError(`${FLAG} daily:${text} has no tasks; write daily:200.`);
    return { type: 'daily', perMs };
  },
  file: (text) => readArrivalTimes(text),
};

/** `poisson:10/h` and the like, or a file of times. */
export function arrivalsOption(text: string): Arrivals {
  const [, name = '', rest = ''] = /^([a-z]+)(?::(.*))?$/.exec(text.trim()) ?? [];
  const pattern = Object.hasOwn(PATTERNS, name) ? PATTERNS[name] : undefined;
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
