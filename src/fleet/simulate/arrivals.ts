import type { Random } from './chance.ts';
import type { Arrivals } from './scenario.ts';

/** When the next task is added, or null after the last one; called one by one, so that none is stored. */
export type NextArrival = () => number | null;

type Makers = {
  readonly [Type in Arrivals['type']]: (pattern: Extract<Arrivals, { type: Type }>, random: Random) => NextArrival;
};

const DAY_MS = 24 * 60 * 60_000;
const PEAK_MS = 14 * 60 * 60_000;
const SWING = 0.9;

const MAKERS: Makers = {
  poisson: ({ perMs }, random) => {
    let at = 0;
    return () => {
      at += gap(perMs, random);
      return at;
    };
  },
  every: ({ everyMs }) => {
    let count = 0;
    return () => count++ * everyMs;
  },
  burst: ({ size, everyMs }) => {
    let count = 0;
    return () => {
      const burst = Math.floor(count++ / size);
      return burst === 0 ? 0 : everyMs === null ? null : burst * everyMs;
    };
  },
  daily: ({ perMs }, random) => {
    let at = 0;
    return () => {
      // drawn at the peak rate, thinned out in the quieter hours
      do at += gap(perMs * (1 + SWING), random);
      while (random() * (1 + SWING) > dayShare(at));
      return at;
    };
  },
  times: ({ times }) => {
    let index = 0;
    return () => times[index++] ?? null;
  },
};

const gap = (perMs: number, random: Random) => -Math.log(1 - random()) / perMs;

const dayShare = (at: number) => 1 + SWING * Math.cos((2 * Math.PI * (at - PEAK_MS)) / DAY_MS);

export function arrivalsOf(pattern: Arrivals, random: Random): NextArrival {
  // the table has exactly one maker per type, which the compiler cannot see through the index
  const make = MAKERS[pattern.type] as (pattern: Arrivals, random: Random) => NextArrival;
  const next = make(pattern, random);
  return () => {
    const at = next();
    return at === null ? null : Math.round(at);
  };
}

/** About how many tasks a pattern adds in this time. */
export function expectedTasks(pattern: Arrivals, durationMs: number): number {
  if (pattern.type === 'times') return pattern.times.length;
  if (pattern.type === 'every') return Math.ceil(durationMs / pattern.everyMs);
  if (pattern.type !== 'burst') return pattern.perMs * durationMs;
  return pattern.everyMs === null ? pattern.size : pattern.size * Math.ceil(durationMs / pattern.everyMs);
}
