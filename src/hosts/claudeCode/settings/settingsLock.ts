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
    const attempt = await tryLock(lock, { clock, ids });
    if (attempt.type === 'failed') {
      return refused(
        file,
        `cannot be changed: its lock cannot be written (${attempt.message})`,
        'fix that and run this again',
      );
    }
    if (attempt.type === 'held') {
      try {
        return await run();
      } finally {
        await attempt.lock.release();
      }
    }
    if (clock.now() >= giveUpAt) {
      return refused(
        file,
        `is being changed by another Stopgate (process ${attempt.by?.pid ?? 'unknown'})`,
        'wait for it and run this again',
      );
    }
    await clock.sleep(RETRY_MS);
  }
}

async function tryLock(file: string, { clock, ids }: SettingsLock['world']) {
  try {
    return await takeLock({ file, clock, ids });
  } catch (error) {
    return { type: 'failed' as const, message: (error as Error).message };
  }
}
