import { closeSync, copyFileSync, mkdirSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import path from 'node:path';
import { attempt } from './attempt.ts';
import { terminalText } from './terminalText.ts';

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

/** A log of terminal output, kept below a size. Nothing fails when it cannot be written. */
export function openBoundedLog(file: string, maxBytes: number) {
  const descriptor = attempt(() => {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    boundLog(file, maxBytes);
    return openSync(file, 'a', 0o600);
  }, null);
  let unchecked = 0;
  return {
    keep: (text: string) => {
      if (descriptor === null || text === '') return;
      unchecked += attempt(() => writeSync(descriptor, terminalText(text)), 0);
      if (unchecked < maxBytes / 10) return;
      unchecked = 0;
      boundLog(file, maxBytes);
    },
    close: () => {
      if (descriptor !== null) attempt(() => closeSync(descriptor), undefined);
    },
  };
}
