import { readFileSync } from 'node:fs';
import { parseDuration } from '../../../budget/timeBudget.ts';
import { readStdin } from '../../../system/readStdin.ts';
import { UserError } from '../../../system/userError.ts';

/** An option that is not given stays undefined. */
type Read<Text> = Text extends string ? number : undefined;

/** `10m` and the like as milliseconds. */
export function durationMs<Text extends string | undefined>(
  flag: string,
  text: Text,
  examples = '30s, 10m or 1h30m',
): Read<Text> {
  const seconds = text === undefined ? undefined : parseDuration(text);
  if (seconds === null) throw new UserError(`${flag} must be a duration such as ${examples}, got "${text}".`);
  return (seconds === undefined ? undefined : seconds * 1000) as Read<Text>;
}

export function wholeNumber<Text extends string | undefined>(
  flag: string,
  text: Text,
  { least, most = Number.POSITIVE_INFINITY }: { readonly least: number; readonly most?: number },
): Read<Text> {
  if (text === undefined) return undefined as Read<Text>;
  const value = /^-?\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value as Read<Text>;
  const digits = (bound: number) => bound.toLocaleString('en-US');
  const range = Number.isFinite(most) ? ` from ${digits(least)} to ${digits(most)}` : least > 0 ? ' above 0' : '';
  throw new UserError(`${flag} must be a whole number${range}, got "${text}".`);
}

/** A date and time, or a time of day, which means its next occurrence. */
export function timeAt(flag: string, text: string, now: number): number {
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim());
  const at = clock ? nextTimeOfDay(Number(clock[1]), Number(clock[2]), now) : Date.parse(text);
  if (Number.isFinite(at)) return at;
  throw new UserError(`${flag} must be a time such as 18:30 or 2026-03-01T09:00, got "${text}".`);
}

function nextTimeOfDay(hours: number, minutes: number, now: number): number {
  const today = new Date(now).setHours(hours, minutes, 0, 0);
  if (today > now) return today;
  const tomorrow = new Date(today);
  return tomorrow.setDate(tomorrow.getDate() + 1);
}

/** The text itself, `@FILE`, or `-` for stdin; `@@` begins a text with an @. */
export async function textFrom(flag: string, value: string): Promise<string> {
  if (value === '-') {
    const piped = await readStdin(false, () => {});
    if (piped !== undefined) return piped;
    throw new UserError(`${flag} - reads the text from stdin, but nothing is piped in.`);
  }
  if (!value.startsWith('@')) return value;
  if (value.startsWith('@@')) return value.slice(1);
  const file = value.slice(1);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(`${flag} names the file ${file}, which cannot be read: ${(error as Error).message}.`);
  }
}
