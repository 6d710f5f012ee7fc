import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const MOST_BYTES = 65_536;

/** The text of a small regular file; undefined for anything else. A named pipe is not waited for. */
export function readSmallFile(file: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!fstatSync(descriptor).isFile()) return undefined;
    const bytes = Buffer.alloc(MOST_BYTES);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
