import { readFileSync } from 'node:fs';

/** A table of the kernel's; empty where it cannot be read. */
export function readTable(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
