import { readdirSync, readFileSync } from 'node:fs';
import { attempt } from './attempt.ts';

/** A file of /proc about a process; undefined when the process is gone or another user's, or without /proc. */
export const readProc = (pid: number, name: string): string | undefined =>
  attempt(() => readFileSync(`/proc/${pid}/${name}`, 'utf8'), undefined);

/** The fields of a process's `stat` from its state (field 3) on; the name before may contain anything, even `) Z 1`. */
export function statFields(pid: number): readonly string[] | undefined {
  const line = readProc(pid, 'stat');
  return line?.slice(line.lastIndexOf(')') + 2).split(' ');
}

/** The place of the start time in `statFields`. */
export const START_TIME = 19;

/** Of the start times in /proc, on every Linux. */
const TICKS_PER_SECOND = 100;

/** The time since a process started; null when it is gone, or without /proc. */
export function processAgeMs(pid: number): number | null {
  const startTime = statFields(pid)?.[START_TIME];
  const [upSeconds] = readUptime().split(' ');
  if (startTime === undefined || !upSeconds) return null;
  return Math.max(0, Math.round((Number(upSeconds) - Number(startTime) / TICKS_PER_SECOND) * 1000));
}

const readUptime = (): string => attempt(() => readFileSync('/proc/uptime', 'utf8'), '');

/** All processes; empty without /proc. */
export const processIds = (): readonly number[] =>
  attempt(() => readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : [])), []);
