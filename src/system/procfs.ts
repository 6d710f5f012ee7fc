import { readdirSync, readFileSync } from 'node:fs';

/** A file of /proc about a process; undefined when the process is gone or another user's, or without /proc. */
export function readProc(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** The fields of a process's `stat` from its state (field 3) on; the name before may contain anything, even `) Z 1`. */
export function statFields(pid: number): readonly string[] | undefined {
  const line = readProc(pid, 'stat');
  return line?.slice(line.lastIndexOf(')') + 2).split(' ');
}

/** The place of the start time in `statFields`. */
export const START_TIME = 19;

/** All processes; empty without /proc. */
export function processIds(): readonly number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}
