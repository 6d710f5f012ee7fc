import { readFileSync } from 'node:fs';
import { parseDuration } from '../../../budget/timeBudget.ts';
import { readStdin } from '../../../system/readStdin.ts';
import { UserError } from '../../../system/userError.ts';

/** `10m` and the like as milliseconds. */
export function durationMs(flag: string, text: string): number {
  const seconds = parseDuration(text);
  if (seconds !== null) return seconds * 1000;
  throw new UserError(`${flag} ${text} is no length of time; write it like 30s, 10m or 1h30m.`);
}

export function wholeNumber(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (/^-?\d{1,10}$/.test(text) && value >= least) return value;
  throw new UserError(
    `${flag} ${text} is no whole number${least === 0 ? ' of 0 or more' : least > 0 ? ' above 0' : ''}.`,
  );
}

/** A moment: with a date, or a time of day that comes next. */
export function momentAt(flag: string, text: string, now: number): number {
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim());
  const at = clock ? nextTimeOfDay(Number(clock[1]), Number(clock[2]), now) : Date.parse(text);
  if (Number.isFinite(at)) return at;
  throw new UserError(`${flag} ${text} is no moment; write it like 18:30 or 2026-03-01T09:00.`);
}

function nextTimeOfDay(hours: number, minutes: number, now: number): number {
  const today = new Date(now).setHours(hours, minutes, 0, 0);
  if (today > now) return today;
  const tomorrow = new Date(today);
  return tomorrow.setDate(tomorrow.getDate() + 1);
}

/** The text itself, `@FILE`, or `-` for stdin; `@@` begins a text with an @. */
export async function textFrom(flag: string, said: string): Promise<string> {
  if (said === '-') return (await readStdin(false, () => {})) ?? nothingPiped(flag);
  if (!said.startsWith('@')) return said;
  if (said.startsWith('@@')) return said.slice(1);
  const file = said.slice(1);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(`${flag} names the file ${file}, which cannot be read: ${(error as Error).message}.`);
  }
}

function nothingPiped(flag: string): never {
  throw new UserError(`${flag} - takes the text from stdin, but nothing is piped in.`);
}
