import { appendFileSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

/** For lines of this user alone. Creates its folder only when it is missing: that is looked up faster by the opening itself. */
export function openToAppend(file: string): number {
  try {
    return openSync(file, 'a+', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    return openSync(file, 'a+', 0o600);
  }
}

/** Whether a crash or a full disk cut the last line: the next one must not continue it. */
export function isTorn(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}

/** Appends a line of JSON to a log; one that has grown replaces the previous `FILE.1`. Throws as `node:fs` does. */
export function appendToLog(file: string, line: object, maxBytes: number): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) renameSync(file, `${file}.1`);
  appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
}
