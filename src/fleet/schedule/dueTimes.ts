import type { Schedule } from '../../store/types.ts';
import { wallTimeAt } from '../decisions/zonedTime.ts';
import { type Cron, isDueOn, parseCron } from './cron.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** February 29 on one weekday can be 40 years away, around a year without it. */
const LATEST_DAYS = 41 * 366;

/**
 * The first due time after an instant. Clocks of the zone decide: a time that they skip in spring is due right after the gap, and one
 * that they show twice in autumn is due once, at its first occurrence; what is due every hour or more often is due in both.
 */
export function nextCronTime(cron: Cron, after: number, zone: string): number | null {
  const start = wallTimeAt(after, zone);
  const firstDay = Math.floor(start / DAY_MS) * DAY_MS;
  for (let day = 0; day <= LATEST_DAYS; day++) {
    const date = firstDay + day * DAY_MS;
    if (!isDueOn(cron, dateOf(date))) continue;
    const found = firstOf(instantsOf(cron, date, zone), after);
    if (found !== null) return found;
  }
  return null;
}

function dateOf(wall: number) {
  const date = new Date(wall);
  return { month: date.getUTCMonth() + 1, day: date.getUTCDate(), weekday: date.getUTCDay() };
}

const firstOf = (instants: readonly number[], after: number) => instants.find((instant) => instant > after) ?? null;

/** All due times of a day, in order. */
function instantsOf(cron: Cron, date: number, zone: string): number[] {
  const offsets = offsetsAround(date, zone);
  const isHourly = cron.hours.size === 24;
  const instants = new Set<number>();
  for (const hour of cron.hours) {
    for (const minute of cron.minutes) {
      const wall = date + hour * HOUR_MS + minute * MINUTE_MS;
      const [first, second] = offsets.before === offsets.after ? [wall - offsets.before] : shownAt(wall, zone, offsets);
      // of what is due every hour, clocks that are moved leave out an hour, or have one twice
      if (first === undefined && !isHourly) instants.add(gapEnd(wall, zone, offsets));
      if (first !== undefined) instants.add(first);
      if (second !== undefined && isHourly) instants.add(second);
    }
  }
  return [...instants].toSorted((one, other) => one - other);
}

interface Offsets {
  readonly before: number;
  readonly after: number;
}

/** How far clocks of a zone are ahead of UTC before and after a date; different when they are moved on it, or next to it. */
function offsetsAround(date: number, zone: string): Offsets {
  const offsetAt = (instant: number) => wallTimeAt(instant, zone) - instant;
  return { before: offsetAt(date - DAY_MS), after: offsetAt(date + 2 * DAY_MS) };
}

/** The instants at which clocks show a time, earlier first: none, one or two. */
function shownAt(wall: number, zone: string, { before, after }: Offsets): number[] {
  const instants = [wall - before, wall - after].toSorted((one, other) => one - other);
  return instants.filter((instant) => wallTimeAt(instant, zone) === wall);
}

/** The instant at which clocks skip a time: the first minute with the offset of afterwards. */
function gapEnd(wall: number, zone: string, { before, after }: Offsets): number {
  let [early, late] = [wall - after, wall - before];
  while (late - early > MINUTE_MS) {
    const middle = early + Math.floor((late - early) / 2 / MINUTE_MS) * MINUTE_MS;
    if (wallTimeAt(middle, zone) - middle === after) late = middle;
    else early = middle;
  }
  return late;
}

/** The first due time of a schedule after an instant; null for one that is never due again. */
export function nextDueTime(schedule: Pick<Schedule, 'cron' | 'everyMs' | 'timezone' | 'nextDueAt'>, after: number) {
  const { cron, everyMs, timezone, nextDueAt } = schedule;
  if (everyMs !== null) {
    const passed = Math.floor((after - nextDueAt) / everyMs) + 1;
    return nextDueAt + Math.max(0, passed) * everyMs;
  }
  const parsed = parseCron(cron ?? '');
  return parsed.type === 'cron' ? nextCronTime(parsed, after, timezone ?? 'UTC') : null;
}

/** Counted at most: more due times than this were certainly not worth a task each. */
const MOST_MISSED = 1_000;

export interface PassedTimes {
  /** The latest due time that has passed; its task stands for all of them. */
  readonly latestDueAt: number;
  readonly nextDueAt: number;
  /** Those before the latest. */
  readonly missed: number;
}

/** What is due at an instant; null when the expression cannot be read or is never due again. */
export function passedTimes(schedule: Parameters<typeof nextDueTime>[0], now: number): PassedTimes | null {
  if (schedule.everyMs !== null) {
    const missed = Math.max(0, Math.floor((now - schedule.nextDueAt) / schedule.everyMs));
    const latestDueAt = schedule.nextDueAt + missed * schedule.everyMs;
    return { latestDueAt, nextDueAt: latestDueAt + schedule.everyMs, missed };
  }
  let latestDueAt = schedule.nextDueAt;
  for (let missed = 0; ; missed++) {
    const next = nextDueTime(schedule, latestDueAt);
    if (next === null) return null;
    if (next > now) return { latestDueAt, nextDueAt: next, missed };
    if (missed < MOST_MISSED) latestDueAt = next;
    else {
      const later = nextDueTime(schedule, now);
      return later === null ? null : { latestDueAt: next, nextDueAt: later, missed };
    }
  }
}
