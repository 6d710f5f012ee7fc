import { expect, it } from 'vitest';
import { timely } from './timely.ts';

it.each([
  [{ offerMs: 1e15 }, 'offerMs'],
  [{ retryAfterMs: Number.NaN }, 'retryAfterMs'],
  [{ until: { at: 1e16 } }, 'at'],
  [{ until: { ms: Number.POSITIVE_INFINITY } }, 'ms'],
  [{ next: { claimKey: 'k', offerMs: -1e15 } }, 'offerMs'],
])('refuses %j', (request, name) => {
  expect(() => timely(request)).toThrow(new RegExp(`^${name} must be from `));
});

it.each([
  {},
  { offerMs: 3_000, runAt: 1_795_000_000_000 },
  { until: { at: 8.64e15 } },
  { tokens: 1e300, atMost: 1e300 },
])('passes %j', (request) => expect(timely(request)).toBe(request));
