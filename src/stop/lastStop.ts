import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isObject, jsonValue } from '../schemas/jsonValue.ts';
import { attempt } from '../system/attempt.ts';
import { isSameProcess, startOfProcess } from '../system/processLife.ts';
import { textIn } from '../system/readTextFile.ts';
import { sessionFile } from './startFile.ts';

/**
 * A session's stop while its checks run, and how many stops in a row ended without a verdict. A process that is killed leaves
 * its file, so the next event knows. The code under test can kill it: checks run as the same user.
 */
export interface LastStop {
  readonly session: string;
  readonly folder: string;
  /** ISO 8601. */
  readonly at: string;
  /** The process that checks; null when it has answered. */
  readonly pid: number | null;
  readonly pidStart: string | null;
  readonly withoutVerdict: number;
}

const fileOf = (stopgateHome: string, session: string) => sessionFile(stopgateHome, 'stops', session);

export const KILLED = 'the stop check was killed before it gave a verdict';
export const KILLED_NOTE = `Stopgate: at the last stop of this session ${KILLED}; nothing was proven then.`;

/** Null when the last stop of the session has ended with a verdict. */
export const readLastStop = (stopgateHome: string, session: string): LastStop | null =>
  stopIn(fileOf(stopgateHome, session));

function stopIn(file: string): LastStop | null {
  // not of a pipe or a device, which would never end
  const value = jsonValue(textIn(file));
  const { session, folder, at, pid, pidStart, withoutVerdict } = isObject(value) ? value : {};
  if (typeof session !== 'string' || typeof folder !== 'string' || typeof at !== 'string') return null;
  return {
    ...{ session, folder, at },
    pid: typeof pid === 'number' ? pid : null,
    pidStart: typeof pidStart === 'string' ? pidStart : null,
    withoutVerdict: typeof withoutVerdict === 'number' ? withoutVerdict : 0,
  };
}

/** Whether the process that checked it is gone without an answer. */
export const wasKilled = (stop: LastStop | null): stop is LastStop & { readonly pid: number } =>
  stop !== null && stop.pid !== null && !isSameProcess(stop.pid, stop.pidStart ?? undefined);

/** False when it cannot be written. */
export function openStop(
  stopgateHome: string,
  stop: Pick<LastStop, 'session' | 'folder' | 'at' | 'withoutVerdict'>,
): boolean {
  return write(stopgateHome, { ...stop, pid: process.pid, pidStart: startOfProcess(process.pid) ?? null });
}

/** A verdict clears the record; without one the number of such stops stays. False when it cannot be written. */
export function closeStop(stopgateHome: string, stop: Omit<LastStop, 'pid' | 'pidStart'>): boolean {
  if (stop.withoutVerdict > 0) return write(stopgateHome, { ...stop, pid: null, pidStart: null });
  rmSync(fileOf(stopgateHome, stop.session), { force: true });
  return true;
}

function write(stopgateHome: string, stop: LastStop): boolean {
  const file = fileOf(stopgateHome, stop.session);
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    // a rename replaces whatever is in its place; opening a pipe would wait for a reader
    const beside = `${file}.${process.pid}`;
    writeFileSync(beside, JSON.stringify(stop), { mode: 0o600 });
    renameSync(beside, file);
    return true;
  } catch {
    return false;
  }
}

const MOST_FILES = 1_000;

/** The stops of all sessions whose checks were killed and that no later event has recorded. */
export function killedStops(stopgateHome: string): readonly LastStop[] {
  const folder = path.dirname(fileOf(stopgateHome, 'any'));
  return namesIn(folder).flatMap((name) => {
    const stop = stopIn(path.join(folder, name));
    return wasKilled(stop) ? [stop] : [];
  });
}

const namesIn = (folder: string): readonly string[] => attempt(() => readdirSync(folder).slice(0, MOST_FILES), []);
