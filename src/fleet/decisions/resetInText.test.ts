import { expect, it } from 'vitest';
import { type NamedReset, resetInText } from './resetInText.ts';

// 12:46:31 in Berlin
const NOW = Date.UTC(2026, 10, 16, 11, 46, 31);
const at = (time: string): NamedReset => ({ resetAt: Date.parse(time) });

/** The next time that clocks show this where the test runs. */
function nextHere(hour: number, minute: number): NamedReset {
  const day = new Date(NOW).setHours(hour, minute, 0, 0) > NOW ? 0 : 1;
  const date = new Date(NOW);
  date.setDate(date.getDate() + day);
  return { resetAt: date.setHours(hour, minute, 0, 0) };
}

it.each<[string, NamedReset]>([
  ['API Error: 429 try again in 40 s', { retryAfterMs: 40_000 }],
  ['Please try again in 5 minutes.', { retryAfterMs: 300_000 }],
  ['try again in 2 hours', { retryAfterMs: 7_200_000 }],
  ['try again in 2 hours 5 minutes', { retryAfterMs: 7_500_000 }],
  ['try again in 1 day, 2 hours and 3 mins.', { retryAfterMs: 93_780_000 }],
  ['Your quota will reset after 5h3m12s.', { retryAfterMs: 18_192_000 }],
  ['Please try again in 1.5s. Visit', { retryAfterMs: 1_500 }],
  ['Please try again in 120ms', { retryAfterMs: 120 }],
  ['try again in a while', {}],
  ['try again in 3 months', {}],
  ['usage limit reached|1794830600', at('2026-11-16T12:03:20Z')],
  ['a time that is over: 1794784000', {}],
  ['resets at 2026-11-16T15:16:00Z', at('2026-11-16T15:16:00Z')],
  ['resets at 2026-11-16T15:16:00+01:00.', at('2026-11-16T14:16:00Z')],
  ['reset at 2026-11-16T09:00:00Z', {}],
  // the wording of Claude Code 2.1.325, plus one minute because it omits the seconds
  ["You've hit your 5-hour limit · resets 3:16pm (Europe/Berlin)", at('2026-11-16T14:17:00Z')],
  ["You've hit your 5-hour limit · resets 3pm (Europe/Berlin)", at('2026-11-16T14:01:00Z')],
  ["You've hit your 5-hour limit · resets 12am (Europe/Berlin)", at('2026-11-16T23:01:00Z')],
  ["You've hit your 5-hour limit · resets 12:30pm (Europe/Berlin)", at('2026-11-17T11:31:00Z')],
  // it is that minute now
  ["You've hit your 5-hour limit · resets 12:46pm (Europe/Berlin)", at('2026-11-16T11:47:00Z')],
  ["You've hit your 5-hour limit · resets 2:10am (America/Los_Angeles)", at('2026-11-17T10:11:00Z')],
  ["You've hit your weekly limit · resets Nov 18, 8:19pm (Europe/Berlin)", at('2026-11-18T19:20:00Z')],
  ["You've hit your weekly limit · resets Jan 2, 5pm (Europe/Berlin)", at('2027-01-02T16:01:00Z')],
  ["You've hit your weekly limit · resets Jan 2, 2027, 5pm (Europe/Berlin)", at('2027-01-02T16:01:00Z')],
  ['limit · resets Nov 18, 2025, 8pm (Europe/Berlin)', {}],
  ['You have hit your usage limit. Try again at 3:16 PM.', nextHere(15, 17)],
  ['resets 15:16 (Europe/Berlin)', at('2026-11-16T14:17:00Z')],
  ['spend limit reached · resets Dec 8', { resetAt: new Date(2026, 11, 8, 0, 1).getTime() }],
  ['the counter resets 5 times', {}],
  ['resets 13pm', {}],
  ['resets 25:00', {}],
  ['rate limited', {}],
])('%s', (text, reset) => {
  expect(resetInText(text, NOW)).toEqual(reset);
});
