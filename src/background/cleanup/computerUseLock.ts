import path from 'node:path';
import type { TurnCleanups } from '../../query/stop/stopWork.ts';
import { type HeldLock, takeLock } from '../../system/pidLock.ts';
import type { World } from '../../system/world.ts';

export const computerUseLockFile = (stopgateHome: string): string => path.join(stopgateHome, 'computer-use.lock');

export type ComputerUse = ReturnType<typeof computerUse>;

/** Only one of a user's processes may use the screen and the mouse, until its turn ends. */
export function computerUse(facts: Pick<World, 'stopgateHome' | 'clock' | 'ids'>, cleanups: TurnCleanups) {
  const { clock, ids } = facts;
  let held: HeldLock | undefined;
  const release = async () => {
    const lock = held;
    held = undefined;
    await lock?.release();
  };
  return {
    /**
     * Takes the lock until the turn ends; may be called again. `restore` undoes what was hidden or moved. Returns a
     * sentence when another process has the lock.
     */
    acquire: async (restore?: () => Promise<void>): Promise<string | undefined> => {
      if (!held) {
        const attempt = await takeLock({ file: computerUseLockFile(facts.stopgateHome), clock, ids });
        if (attempt.type === 'taken') {
          return `The screen is in use by another Stopgate process (${attempt.by?.pid ?? 'unknown'}); wait for its turn to end.`;
        }
        held = attempt.lock;
        cleanups.register('computer-use lock', release);
      }
      // later registrations run first: the screen is restored before the lock is released
      if (restore) cleanups.register('computer-use screen', restore);
      return undefined;
    },
  };
}
