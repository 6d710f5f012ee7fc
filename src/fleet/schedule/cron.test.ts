import { describe, expect, it } from 'vitest';
import { parseCron } from './cron.ts';

const values = (set: ReadonlySet<number>) => [...set].join(' ');

function fields(text: string): string[] {
  const cron = parseCron(text);
  if (cron.type === 'bad') throw new Error(cron.problem);
  return [cron.minutes, cron.hours, cron.days, cron.months, cron.weekdays].map(values);
}

describe('an expression', () => {
  it.each([
    ['0 3 * * *', 0, '0'],
    ['*/15 * * * *', 0, '0 15 30 45'],
    ['5/20 * * * *', 0, '5 25 45'],
    ['10-20/5,59 * * * *', 0, '10 15 20 59'],
    ['0 22-23,1 * * *', 1, '22 23 1'],
    ['0 0 1,15 * *', 2, '1 15'],
    ['0 0 1 JAN-mar *', 3, '1 2 3'],
    ['0 0 * * mon-fri', 4, '1 2 3 4 5'],
    ['0 0 * * 7', 4, '0'],
    ['0 0 * * 5-7', 4, '5 6 0'],
    ['0 0 * * *', 4, '0 1 2 3 4 5 6'],
    [' @daily ', 1, '0'],
    ['@weekly', 4, '0'],
  ])('%s, field %i', (text, at, expected) => {
    expect(fields(text)[at]).toBe(expected);
  });

  it.each([
    ['0 3 * *', '"0 3 * *" has 4 fields, not five: minute, hour, day of the month, month, day of the week'],
    ['', '"" has 0 fields'],
    ['60 * * * *', '"60" must be a number from 0 to 59 (field 1 of "60 * * * *", the minute)'],
    ['* 24 * * *', '"24" must be a number from 0 to 23 (field 2'],
    ['* * 0 * *', '"0" must be a number from 1 to 31 (field 3'],
    ['* * * 13 *', '"13" must be a number from 1 to 12, or jan to dec (field 4'],
    ['* * * * someday', '"someday" must be a number from 0 to 7, or sun to sat (field 5'],
    ['*/0 * * * *', 'the step of "*/0" must be a whole number above 0 (field 1'],
    ['1/2/3 * * * *', '"1/2/3" cannot be read (field 1'],
    ['5-1 * * * *', '"5-1" runs backwards (field 1'],
    ['1, * * * *', '"" cannot be read (field 1'],
    ['-1 * * * *', '"" must be a number from 0 to 59 (field 1'],
    ['0 0 31 2,4 *', '"0 0 31 2,4 *" is never due: no month that it names has such a day'],
    ['@reboot', '"@reboot" is not known; use @yearly, '],
    ['1e1 * * * *', '"1e1" must be a number'],
  ])('%s is refused', (text, problem) => {
    expect(parseCron(text)).toMatchObject({ type: 'bad', problem: expect.stringContaining(problem) });
  });
});
