import { expect, it } from 'vitest';
import { retryDelayMs } from './retryDelay.ts';

it.each([
  [10_000, 1, 0.5, 10_000],
  [10_000, 2, 0.5, 20_000],
  [10_000, 3, 0, 20_000],
  [10_000, 3, 0.999, 59_960],
  [10_000, 200, 0.5, 900_000],
  [0, 5, 0.5, 0],
])('waits after backoff %d, failure %d and jitter %d for %d ms', (backoffMs, failures, jitter, delayMs) => {
  expect(retryDelayMs(backoffMs, failures, jitter)).toBe(delayMs);
});
