import { describe, expect, it } from 'vitest';
import { arrivalsOf, expectedTasks } from './arrivals.ts';
import { taskLengthMs } from './attempts.ts';
import { seededRandom } from './chance.ts';
import type { Arrivals } from './scenario.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function times(pattern: Arrivals, most: number): number[] {
  const next = arrivalsOf(pattern, seededRandom(5));
  const found: number[] = [];
  for (let at = next(); at !== null && found.length < most; at = next()) found.push(at);
  return found;
}

describe('arrivals', () => {
  it.each<[string, Arrivals, number[]]>([
    ['every', { type: 'every', everyMs: 5 }, [0, 5, 10, 15]],
    ['one burst', { type: 'burst', size: 3, everyMs: null }, [0, 0, 0]],
    ['bursts', { type: 'burst', size: 2, everyMs: 9 }, [0, 0, 9, 9]],
    ['a file', { type: 'times', times: Float64Array.of(1, 4) }, [1, 4]],
  ])('%s', (_name, pattern, expected) => {
    expect(times(pattern, 4)).toEqual(expected);
  });

  it.each(['poisson', 'daily'] as const)('%s adds as many as expected', (type) => {
    const pattern = { type, perMs: 50 / HOUR };
    const found = times(pattern, 100_000);
    expect(100_000 / ((found.at(-1) ?? 0) / HOUR)).toBeCloseTo(50, 0);
    expect(expectedTasks(pattern, DAY)).toBeCloseTo(1_200, 6);
  });

  it('come by day rather than by night', () => {
    const found = times({ type: 'daily', perMs: 100 / HOUR }, 50_000);
    const between = (from: number, to: number) =>
      found.filter((at) => at % DAY >= from * HOUR && at % DAY < to * HOUR).length;
    expect(between(12, 16) / between(0, 4)).toBeGreaterThan(8);
  });
});

describe('task lengths', () => {
  const random = seededRandom(6);
  const mean = (lengths: Parameters<typeof taskLengthMs>[0]) => {
    let sum = 0;
    for (let count = 0; count < 200_000; count += 1) sum += taskLengthMs(lengths, random(), random());
    return sum / 200_000 / 60_000;
  };
  it.each([
    [{ type: 'fixed', ms: 300_000 } as const, 5],
    [{ type: 'exponential', meanMs: 600_000 } as const, 10],
    [{ type: 'uniform', fromMs: 60_000, toMs: 300_000 } as const, 3],
    [{ type: 'lognormal', medianMs: 600_000, sigma: 0.5 } as const, 10 * Math.exp(0.125)],
  ])('%o has its mean', (lengths, minutes) => {
    expect(mean(lengths) / minutes).toBeCloseTo(1, 1);
  });
});
