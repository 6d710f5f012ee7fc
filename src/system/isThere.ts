import { lstatSync } from 'node:fs';

/** Whether something has this name, also a link into nothing. Below a file nothing is, which Node reports as an error. */
export function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return false;
    throw error;
  }
}
