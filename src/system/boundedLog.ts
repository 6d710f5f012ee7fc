import { copyFileSync, statSync, truncateSync } from 'node:fs';

/**
 * Keeps a log below a size: its content is copied to `FILE.1` and the file is emptied, not moved, because its writer has
 * it open. What is written between the two steps is lost.
 */
export function boundLog(file: string, maxBytes: number): void {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= maxBytes) return;
    copyFileSync(file, `${file}.1`);
    truncateSync(file);
  } catch {
    // the size of a log is not worth a failure
  }
}
