import { expect, it } from 'vitest';
import { Spread } from './spread.ts';

it('has exact percentiles, mean and maximum', () => {
  const spread = new Spread();
  for (let ms = 1; ms <= 100_000; ms += 1) spread.add(ms);
  const percentiles = { p50Ms: 50_000, p95Ms: 95_000, p99Ms: 99_000 };
  expect(spread.summary()).toEqual({ count: 100_000, meanMs: 50_000.5, ...percentiles, maxMs: 100_000 });
});

it('returns zeros without values', () => {
  expect(new Spread().summary()).toEqual({ count: 0, meanMs: 0, p50Ms: 0, p95Ms: 0, p99Ms: 0, maxMs: 0 });
});

it('knows that most did not wait at all', () => {
  const spread = new Spread();
  for (let count = 0; count < 99; count += 1) spread.add(0);
  spread.add(60_000);
  expect(spread.summary()).toMatchObject({ p50Ms: 0, p99Ms: 0, maxMs: 60_000 });
});
