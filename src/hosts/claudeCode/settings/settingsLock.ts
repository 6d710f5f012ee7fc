import { takeLock } from '../../../system/pidLock.ts';
import type { HoldingWorld } from './holdingEffects.ts';
import { type RefusedSettings, refused } from './locateSettings.ts';

/** A change takes milliseconds; after this time the holder hangs. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 15;

export interface SettingsLock {
  readonly lock: string;
  /** The settings file, for messages. */
  readonly file: string;
  readonly world: Pick<HoldingWorld, 'clock' | 'ids'>;
}

/** Runs while no other process changes the same settings file. */
export async function withSettingsLock<T>(
  { lock, file, world: { clock, ids } }: SettingsLock,
  run: () => Promise<T>,
): Promise<T | RefusedSettings> {
  const giveUpAt = clock.now() + PATIENCE_MS;
  for (;;) {
    const attempt = await takeLock({ file: lock, clock, ids }).catch((error: Error) => error);
    if (attempt instanceof Error) {
      const why = `cannot be changed: its lock cannot be written (${attempt.message})`;
      return refused(file, why, 'fix that and run this again');
    }
    if (attempt.type === 'held') {
      try {
        return await run();
      } finally {
        await attempt.lock.release();
      }
    }
    if (clock.now() >= giveUpAt) {
      const why = `is being changed by another Stopgate (process ${attempt.by?.pid ?? 'unknown'})`;
      return refused(file, why, 'wait for it and run this again');
    }
    await clock.sleep(RETRY_MS);
  }
}
