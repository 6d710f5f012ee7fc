import type { Arrivals } from '../../../fleet/simulate/scenario.ts';
import { UserError } from '../../../system/userError.ts';
import { durationMs, rate, wholeNumber } from './amounts.ts';
import { readArrivalTimes } from './readArrivalTimes.ts';

const FLAG = '--arrivals';
const MOST_AT_ONCE = 5_000_000;
const DAY_MS = 86_400_000;

const PATTERNS: Readonly<Record<string, (text: string) => Arrivals>> = {
  poisson: (text) => ({ type: 'poisson', perMs: rate(FLAG, text || '10/h') }),
  every: (text) => ({ type: 'every', everyMs: durationMs(FLAG, text) }),
  burst: (text) => {
    const [, size = '', interval] = /^(\d+)?(?:,every:(.+))?$/.exec(text || '100') ?? [];
    const everyMs = interval === undefined ? null : durationMs(FLAG, interval);
    return { type: 'burst', size: wholeNumber(FLAG, size || text, { least: 1, most: MOST_AT_ONCE }), everyMs };
  },
  daily: (text) => {
    const perMs = /^\d+$/.test(text || '240') ? Number(text || 240) / DAY_MS : rate(FLAG, text);
    if (perMs === 0) throw new UserError(`${FLAG} daily:${text} brings no tasks; write daily:200.`);
    return { type: 'daily', perMs };
  },
  file: (text) => readArrivalTimes(text),
};

/** `poisson:10/h` and the like, or a file of moments. */
export function arrivalsOption(text: string): Arrivals {
  const [, name = '', rest = ''] = /^([a-z]+)(?::(.*))?$/.exec(text.trim()) ?? [];
  const pattern = Object.hasOwn(PATTERNS, name) ? PATTERNS[name] : undefined;
  return pattern === undefined ? readArrivalTimes(text) : pattern(rest);
}
