import { copyFileSync, statSync, truncateSync } from 'node:fs';

/**
 * Keeps a log that others append to below a size: what it holds becomes `FILE.1`, and it starts anew. It is emptied, not
 * moved, because its writer has it open and goes on at its end. What is written in between is lost, which a log can bear.
 */
export function boundLog(file: string, maxBytes: number): void {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= maxBytes) return;
    copyFileSync(file, `${file}.1`);
    truncateSync(file);
  } catch {
    // a log that cannot be kept small is no reason to stop what is logged
  }
}
