import type { Clock } from '../../../system/clock.ts';

/** Well below what a person notices between a key and its echo. */
const LONGEST_MS = 8;

/**
 * Returns what a loop over events awaits after each one. A model's answer can arrive in pieces of hundreds of events, which
 * would be handled one after the other without a look at the keyboard.
 */
export function breathing(clock: Clock): () => Promise<void> | undefined {
  let since = clock.now();
  return () => {
    if (clock.now() - since < LONGEST_MS) return undefined;
    return new Promise<void>((resolve) => {
      setImmediate(() => {
        since = clock.now();
        resolve();
      });
    });
  };
}
