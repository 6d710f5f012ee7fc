/** A parsed expression of five fields; each set has the values that match. */
export interface Cron {
  readonly type: 'cron';
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** With both restricted, a day matches when either does. */
  readonly isDayRestricted: boolean;
  readonly isWeekdayRestricted: boolean;
}

/** One sentence without an end, with the place. */
export interface BadCron {
  readonly type: 'bad';
  readonly problem: string;
}

interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly words?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** In the order of an expression. 7 is Sunday, too. */
const FIELDS: readonly Field[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of the month', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12, words: MONTHS },
  { name: 'day of the week', least: 0, most: 7, words: WEEKDAYS },
];

const NICKNAMES: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/** Five fields as in crontab(5): `*`, values, ranges, steps, lists, names of months and weekdays. */
export function parseCron(text: string): Cron | BadCron {
  const expression = text.trim().toLowerCase();
  if (expression.startsWith('@') && !NICKNAMES.has(expression))
    return bad(`"${text.trim()}" is not known; use ${[...NICKNAMES.keys()].join(', ')} or five fields`);
  const fields = (NICKNAMES.get(expression) ?? expression).split(/\s+/).filter((field) => field !== '');
  if (fields.length !== FIELDS.length)
    return bad(
      `"${text}" has ${fields.length} field${fields.length === 1 ? '' : 's'}, not five: minute, hour, day of the month, month, day of the week`,
    );
  const sets: ReadonlySet<number>[] = [];
  for (const [at, field] of FIELDS.entries()) {
    const values = valuesOf(fields[at] as string, field);
    if (typeof values === 'string') return bad(`${values} (field ${at + 1} of "${text.trim()}", the ${field.name})`);
    sets.push(values);
  }
  const [minutes = NONE, hours = NONE, days = NONE, months = NONE, weekdays = NONE] = sets;
  const cron: Cron = {
    type: 'cron',
    minutes,
    hours,
    days,
    months,
    weekdays: new Set([...weekdays].map((day) => day % 7)),
    // as in crontab(5): `*/2` does not restrict either
    isDayRestricted: !(fields[2] as string).startsWith('*'),
    isWeekdayRestricted: !(fields[4] as string).startsWith('*'),
  };
  return isEverDue(cron) ? cron : bad(`"${text.trim()}" is never due: no month that it names has such a day`);
}

const NONE: ReadonlySet<number> = new Set();

const bad = (problem: string): BadCron => ({ type: 'bad', problem });

/** The values, or a problem. */
function valuesOf(text: string, field: Field): ReadonlySet<number> | string {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const range = rangeOf(part, field);
    if (typeof range === 'string') return range;
    for (let value = range.from; value <= range.to; value += range.step) values.add(value);
  }
  return values;
}

function rangeOf(part: string, field: Field): Readonly<Record<'from' | 'to' | 'step', number>> | string {
  const [range = '', step, ...more] = part.split('/');
  if (part === '' || range === '' || more.length > 0) return `"${part}" cannot be read`;
  const every = step === undefined ? 1 : /^\d{1,3}$/.test(step) ? Number(step) : Number.NaN;
  if (!(every >= 1)) return `the step of "${part}" must be a whole number above 0`;
  const { least, most } = field;
  if (range === '*') return { from: least, to: field.words === WEEKDAYS ? 6 : most, step: every };
  const [first = '', last, ...others] = range.split('-');
  const from = numberOf(first, field);
  // "5/15" begins at 5
  const to = last === undefined ? (step === undefined ? from : most) : numberOf(last, field);
  if (others.length > 0) return `"${part}" cannot be read`;
  if (from === null) return describeBad(first, field);
  if (to === null) return describeBad(last ?? '', field);
  return from > to ? `"${range}" runs backwards` : { from, to, step: every };
}

function numberOf(text: string, { least, most, words = [] }: Field): number | null {
  const at = words.indexOf(text);
  if (at !== -1) return at + least;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}

function describeBad(text: string, { least, most, words }: Field): string {
  const names = words === undefined ? '' : `, or ${words[0]} to ${words.at(-1)}`;
  return `"${text}" must be a number from ${least} to ${most}${names}`;
}

const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isEverDue({ days, months, isDayRestricted, isWeekdayRestricted }: Cron): boolean {
  if (!isDayRestricted || isWeekdayRestricted) return true;
  return [...months].some((month) => [...days].some((day) => day <= (LONGEST[month - 1] ?? 31)));
}

/** Whether it is due on a date; `month` counts from 1. */
export function isDueOn(cron: Cron, date: { month: number; day: number; weekday: number }): boolean {
  if (!cron.months.has(date.month)) return false;
  const [byDay, byWeekday] = [cron.days.has(date.day), cron.weekdays.has(date.weekday)];
  return cron.isDayRestricted && cron.isWeekdayRestricted ? byDay || byWeekday : byDay && byWeekday;
}
