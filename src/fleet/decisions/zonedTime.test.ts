import { expect, it } from 'vitest';
import { instantOf, wallTimeAt } from './zonedTime.ts';

const wall = (year: number, month: number, day: number, hour: number, minute = 0) =>
  Date.UTC(year, month - 1, day, hour, minute);

it.each([
  [wall(2026, 11, 16, 15, 16), 'Europe/Berlin', '2026-11-16T14:16:00Z'],
  [wall(2026, 7, 1, 15), 'Europe/Berlin', '2026-07-01T13:00:00Z'],
  [wall(2026, 11, 16, 23, 30), 'America/Los_Angeles', '2026-11-17T07:30:00Z'],
  [wall(2026, 11, 16, 4), 'Asia/Kolkata', '2026-11-15T22:30:00Z'],
  [wall(2026, 1, 1, 0), 'Pacific/Auckland', '2025-12-31T11:00:00Z'],
  // the night in which clocks go back, and the one in which they skip an hour
  [wall(2026, 10, 25, 12), 'Europe/Berlin', '2026-10-25T11:00:00Z'],
  [wall(2026, 3, 29, 2, 30), 'Europe/Berlin', '2026-03-29T01:30:00Z'],
])('%i in %s is %s', (time, zone, instant) => {
  expect(new Date(instantOf(time, zone)).toISOString()).toBe(new Date(instant).toISOString());
});

it('reads what a clock shows', () => {
  expect(wallTimeAt(Date.UTC(2026, 10, 16, 23, 5), 'Europe/Berlin')).toEqual(wall(2026, 11, 17, 0, 5));
});

it('falls back to its own zone when the zone is unknown', () => {
  const here = wall(2026, 11, 16, 15, 16);
  expect(instantOf(here, 'Europe/Atlantis')).toBe(new Date(2026, 10, 16, 15, 16).getTime());
  expect(instantOf(here, undefined)).toBe(new Date(2026, 10, 16, 15, 16).getTime());
});
