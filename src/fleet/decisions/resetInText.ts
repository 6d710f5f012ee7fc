import { ownValue } from '../../system/ownValue.ts';
import { instantOf, wallTimeAt } from './zonedTime.ts';

/** When a limit ends, if the text of an error names it. */
export interface NamedReset {
  readonly resetAt?: number;
  readonly retryAfterMs?: number;
}

const DAY_MS = 24 * 60 * 60_000;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 60 * 60_000, d: DAY_MS };
/** A reset named by the minute may come at the end of that minute. */
const MINUTE_MS = 60_000;

type Reader = (text: string, now: number) => NamedReset | null;

/** How hosts and providers name a reset, the most reliable form first. */
const READERS: readonly Reader[] = [secondsSince1970, isoTimestamp, afterSomeTime, onADay, atATimeOfDay];

/** Empty when no time is named. */
export function resetInText(text: string, now: number): NamedReset {
  for (const read of READERS) {
    const reset = read(text, now);
    if (reset !== null) return reset;
  }
  return {};
}

/** `usage limit reached|1794785008` */
function secondsSince1970(text: string, now: number): NamedReset | null {
  const seconds = Number(/\b(1[6-9]\d{8})\b/.exec(text)?.[1] ?? 0);
  return seconds * 1000 > now ? { resetAt: seconds * 1000 } : null;
}

/** `resets at 2026-11-16T15:16:00Z` */
function isoTimestamp(text: string, now: number): NamedReset | null {
  const instant = Date.parse(/\b20\d\d-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/.exec(text)?.[0] ?? '');
  return instant > now ? { resetAt: instant } : null;
}

const AMOUNT = String.raw`(\d+(?:\.\d+)?) ?(ms|s|m|h|d)(?:ec(?:ond)?s?|in(?:ute)?s?|(?:ou)?rs?|ays?)?(?![a-z])`;
const AMOUNTS = new RegExp(String.raw`\b(?:in|after) ((?:${AMOUNT}(?:,? (?:and )?)?)+)`, 'i');

/** `try again in 40 s`, `in 2 hours 5 minutes`, `reset after 5h3m12s` */
function afterSomeTime(text: string): NamedReset | null {
  const amounts = AMOUNTS.exec(text)?.[1];
  if (amounts === undefined) return null;
  let retryAfterMs = 0;
  for (const [, amount, unit = ''] of amounts.matchAll(new RegExp(AMOUNT, 'gi'))) {
    retryAfterMs += Number(amount) * (ownValue(UNIT_MS, unit.toLowerCase()) ?? 0);
  }
  return { retryAfterMs };
}

const AGAIN = String.raw`\b(?:resets?|try again)(?: at| on)?`;
const TIME = String.raw`(?<hour>\d{1,2})(?::(?<minute>\d\d))? ?(?<half>[ap]m)?\b(?: \((?<zone>[\w/+-]+)\))?`;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DATE = String.raw`(?<month>${MONTHS.join('|')})[a-z]* (?<day>\d{1,2})\b(?!:)(?:,? (?<year>20\d\d))?`;
const ON_A_DAY = new RegExp(`${AGAIN} ${DATE}(?:,?(?: at)? ${TIME})?`, 'i');
const AT_A_TIME = new RegExp(`${AGAIN} ${TIME}`, 'i');

/** `resets Nov 18, 8:19pm (Europe/Berlin)`, `resets Aug 8` */
function onADay(text: string, now: number): NamedReset | null {
  const named = ON_A_DAY.exec(text)?.groups;
  if (named === undefined) return null;
  const { zone } = named;
  const time = named.hour === undefined ? 0 : timeIn(named);
  if (time === null) return null;
  const month = MONTHS.indexOf(String(named.month).toLowerCase());
  const on = (year: number) => instantOf(Date.UTC(year, month, Number(named.day)) + time, zone) + MINUTE_MS;
  if (named.year !== undefined) return on(Number(named.year)) > now ? { resetAt: on(Number(named.year)) } : null;
  const year = new Date(wallTimeAt(now, zone)).getUTCFullYear();
  // in December, a day in January is next year's
  return { resetAt: on(year) > now ? on(year) : on(year + 1) };
}

/** `resets 3:16pm (Europe/Berlin)`: the next time that clocks there show it. */
function atATimeOfDay(text: string, now: number): NamedReset | null {
  const named = AT_A_TIME.exec(text)?.groups;
  const time = named === undefined ? null : timeIn(named);
  if (named === undefined || time === null) return null;
  const { zone } = named;
  const onDayOf = (at: number) => {
    const shown = wallTimeAt(at, zone);
    return instantOf(shown - (shown % DAY_MS) + time, zone) + MINUTE_MS;
  };
  return { resetAt: onDayOf(now) > now ? onDayOf(now) : onDayOf(now + DAY_MS) };
}

/** Milliseconds of the day; null when it is not a time of day: `resets 5 times`. */
function timeIn({ hour, minute, half }: Readonly<Record<string, string | undefined>>): number | null {
  if (half === undefined && minute === undefined) return null;
  const [hours, minutes] = [Number(hour), Number(minute ?? 0)];
  if (minutes > 59 || hours > (half === undefined ? 23 : 12)) return null;
  const ofDay = half === undefined ? hours : (hours % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  return (ofDay * 60 + minutes) * MINUTE_MS;
}
