import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** What was piped into the launcher is the agent's to read. An idle terminal is not: a headless agent would wait for it. */
export function pipedInput(): Readable | string {
  return !process.stdin.isTTY && isPiped() ? process.stdin : '';
}

function isPiped(): boolean {
  try {
    const facts = fstatSync(0);
    return facts.isFIFO() || facts.isSocket() || facts.isFile();
  } catch {
    // stdin was closed before we were started
    return false;
  }
}
