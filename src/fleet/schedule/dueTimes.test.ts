import { describe, expect, it } from 'vitest';
import { parseCron } from './cron.ts';
import { nextCronTime, nextDueTime, passedTimes } from './dueTimes.ts';

const at = (text: string) => Date.parse(text);

/** The next due times after an instant, in UTC. */
function times(expression: string, after: string, { zone = 'UTC', count = 1 } = {}): string[] {
  const cron = parseCron(expression);
  if (cron.type === 'bad') throw new Error(cron.problem);
  const found: string[] = [];
  for (let last = at(after); found.length < count; ) {
    last = nextCronTime(cron, last, zone) ?? Number.NaN;
    found.push(new Date(last).toISOString().slice(0, 16));
  }
  return found;
}

describe('the next due time', () => {
  it.each([
    ['0 3 * * *', '2026-01-01T00:00Z', '2026-01-01T03:00'],
    ['0 3 * * *', '2026-01-01T03:00Z', '2026-01-02T03:00'],
    ['*/15 * * * *', '2026-01-01T00:14:59Z', '2026-01-01T00:15'],
    ['59 23 31 12 *', '2026-12-31T23:59Z', '2027-12-31T23:59'],
    // leap years, also over a century without one
    ['0 0 29 2 *', '2026-01-01T00:00Z', '2028-02-29T00:00'],
    ['0 0 29 2 *', '2096-03-01T00:00Z', '2104-02-29T00:00'],
    ['0 0 31 * *', '2026-01-31T00:00Z', '2026-03-31T00:00'],
    // either matches when both are restricted
    ['0 0 13 * fri', '2026-11-01T00:00Z', '2026-11-06T00:00'],
    ['0 0 13 * fri', '2026-10-09T00:00Z', '2026-10-13T00:00'],
    ['0 0 * * fri', '2026-10-09T00:00Z', '2026-10-16T00:00'],
    ['0 0 */2 * fri', '2026-10-09T00:00Z', '2026-10-23T00:00'],
  ])('%s after %s', (expression, after, expected) => {
    expect(times(expression, after)).toEqual([expected]);
  });

  it.each([
    // Berlin, 2026-03-29: 2:00 becomes 3:00, at 1:00 UTC
    ['a day with a gap', '0 3 * * *', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T01:00']],
    ['a skipped time: after the gap', '30 2 * * *', '2026-03-28T12:00Z', ['2026-03-29T01:00', '2026-03-30T00:30']],
    [
      'every hour over the gap',
      '30 * * * *',
      '2026-03-28T23:00Z',
      ['2026-03-28T23:30', '2026-03-29T00:30', '2026-03-29T01:30'],
    ],
    // 2026-10-25: 3:00 becomes 2:00, at 1:00 UTC
    ['a time that is shown twice: once', '30 2 * * *', '2026-10-24T12:00Z', ['2026-10-25T00:30', '2026-10-26T01:30']],
    [
      'every hour, both times',
      '30 * * * *',
      '2026-10-24T23:45Z',
      ['2026-10-25T00:30', '2026-10-25T01:30', '2026-10-25T02:30'],
    ],
    ['the day of the zone', '0 0 1 * *', '2026-05-30T00:00Z', ['2026-05-31T22:00']],
  ])('in Berlin: %s', (_, expression, after, expected) => {
    expect(times(expression, after, { zone: 'Europe/Berlin', count: expected.length })).toEqual(expected);
  });

  it.each([
    ['Australia/Lord_Howe', '15 2 * * *', '2026-10-03T00:00Z', ['2026-10-03T15:30', '2026-10-04T15:15']],
    ['Asia/Kathmandu', '0 12 * * *', '2026-01-01T00:00Z', ['2026-01-01T06:15']],
    ['America/New_York', '30 1 * * *', '2026-11-01T00:00Z', ['2026-11-01T05:30', '2026-11-02T06:30']],
  ])('in %s: %s', (zone, expression, after, expected) => {
    expect(times(expression, after, { zone, count: expected.length })).toEqual(expected);
  });

  it('of an interval counts from its first time', () => {
    const every = { cron: null, everyMs: 1_000, timezone: null, nextDueAt: 5_000 };
    expect([0, 4_999, 5_000, 7_500].map((after) => nextDueTime(every, after))).toEqual([5_000, 5_000, 6_000, 8_000]);
  });
});

describe('what has passed', () => {
  const cron = (expression: string, nextDueAt: string) => ({
    ...{ cron: expression, everyMs: null, timezone: 'UTC' },
    nextDueAt: at(nextDueAt),
  });

  it('is one time, and how many were missed before it', () => {
    const daily = cron('0 3 * * *', '2026-01-01T03:00Z');
    expect(passedTimes(daily, at('2026-01-01T03:00Z'))).toEqual({
      latestDueAt: at('2026-01-01T03:00Z'),
      nextDueAt: at('2026-01-02T03:00Z'),
      missed: 0,
    });
    expect(passedTimes(daily, at('2026-01-04T12:00Z'))).toEqual({
      latestDueAt: at('2026-01-04T03:00Z'),
      nextDueAt: at('2026-01-05T03:00Z'),
      missed: 3,
    });
    const every = { cron: null, everyMs: 1_000, timezone: null, nextDueAt: 5_000 };
    expect(passedTimes(every, 8_400)).toEqual({ latestDueAt: 8_000, nextDueAt: 9_000, missed: 3 });
  });

  it('is not counted without an end', () => {
    const minutely = cron('* * * * *', '2026-01-01T00:00Z');
    expect(passedTimes(minutely, at('2026-03-01T00:00Z'))).toMatchObject({
      missed: 1_000,
      nextDueAt: at('2026-03-01T00:01Z'),
    });
  });

  it('is nothing for what cannot be read', () => {
    expect(passedTimes(cron('no', '2026-01-01T00:00Z'), at('2026-03-01T00:00Z'))).toBeNull();
  });
});
