import type { Random } from './chance.ts';
import type { Arrivals } from './scenario.ts';

/** When the next task is added, or null after the last one; called one by one, so that none is stored. */
export type NextArrival = () => number | null;

type Patterns = {
  readonly [Type in Arrivals['type']]: (
    pattern: Extract<Arrivals, { type: Type }>,
    random: Random,
  ) => Iterator<number, undefined>;
};

const DAY_MS = 24 * 60 * 60_000;
const PEAK_MS = 14 * 60 * 60_000;
const SWING = 0.9;

const PATTERNS: Patterns = {
  *poisson({ perMs }, random) {
    for (let at = gap(perMs, random); ; at += gap(perMs, random)) yield at;
  },
  *every({ everyMs }) {
    for (let count = 0; ; count += 1) yield count * everyMs;
  },
  *burst({ size, everyMs }) {
    for (let count = 0; everyMs !== null || count < size; count += 1) yield Math.floor(count / size) * (everyMs ?? 0);
    return undefined;
  },
  *daily({ perMs }, random) {
    // drawn at the peak rate, thinned out in the quieter hours
    const peak = perMs * (1 + SWING);
    for (let at = gap(peak, random); ; at += gap(peak, random)) {
      if (random() * (1 + SWING) <= dayShare(at)) yield at;
    }
  },
  times: ({ times }) => times.values(),
};

const gap = (perMs: number, random: Random) => -Math.log(1 - random()) / perMs;

const dayShare = (at: number) => 1 + SWING * Math.cos((2 * Math.PI * (at - PEAK_MS)) / DAY_MS);

export function arrivalsOf(pattern: Arrivals, random: Random): NextArrival {
  // the table has exactly one entry per type, which the compiler cannot see through the index
  const timesOf = PATTERNS[pattern.type] as (pattern: Arrivals, random: Random) => Iterator<number, undefined>;
  const times = timesOf(pattern, random);
  return () => {
    const { value } = times.next();
    return value === undefined ? null : Math.round(value);
  };
}

/** About how many tasks a pattern adds in this time. */
export function expectedTasks(pattern: Arrivals, durationMs: number): number {
  if (pattern.type === 'times') return pattern.times.length;
  if (pattern.type === 'every') return Math.ceil(durationMs / pattern.everyMs);
  if (pattern.type !== 'burst') return pattern.perMs * durationMs;
  return pattern.everyMs === null ? pattern.size : pattern.size * Math.ceil(durationMs / pattern.everyMs);
}
