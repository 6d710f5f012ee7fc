import { expect, it } from 'vitest';
import { Spread } from './spread.ts';

it('is within 1.2% of the true percentiles, and exact in mean and maximum', () => {
  const spread = new Spread();
  for (let ms = 1; ms <= 100_000; ms += 1) spread.add(ms);
  const { p50Ms, p95Ms, p99Ms, ...exact } = spread.summary();
  expect(exact).toEqual({ count: 100_000, meanMs: 50_000.5, maxMs: 100_000 });
  for (const [value, truth] of [
    [p50Ms, 50_000],
    [p95Ms, 95_000],
    [p99Ms, 99_000],
  ] as const) {
    expect(Math.abs(value / truth - 1)).toBeLessThan(0.012);
  }
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
