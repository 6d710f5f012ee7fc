import { expect, it } from 'vitest';
import { formatAgo, formatDuration, formatSeconds } from './formatDuration.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

it.each([
  [0, '0s'],
  [0.2, '0s'],
  [850.4, '850ms'],
  [999.7, '1s'],
  [2_500, '2.5s'],
  [45_000, '45s'],
  [59_960, '1m'],
  [192_000, '3m12s'],
  [10 * MINUTE, '10m'],
  [HOUR, '1h'],
  [3 * HOUR + 5 * MINUTE, '3h05m'],
  [47 * HOUR, '47h'],
  [6.5 * DAY, '6.5d'],
  [6 * DAY, '6d'],
])('%d ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

it.each([
  [-1, '0s'],
  [499, '0s'],
  [2_400, '2s'],
  [59_999, '1m'],
  [65_000, '1m05s'],
])('%d ms in whole seconds is %s', (ms, text) => expect(formatSeconds(ms)).toBe(text));

it.each([
  [1_000, 'just now'],
  [42_300, '42s ago'],
  [250_000, '4m10s ago'],
  [3 * HOUR, '3h ago'],
  [6 * DAY + 5, '6d ago'],
])('%d ms ago is %s', (ms, text) => expect(formatAgo(1_000_000_000_000 - ms, 1_000_000_000_000)).toBe(text));
