import path from 'node:path';
import type { TurnCleanups } from '../../query/stop/stopWork.ts';
import type { Clock } from '../../system/clock.ts';
import type { Ids } from '../../system/ids.ts';
import { type HeldLock, takeLock } from '../../system/pidLock.ts';

export const computerUseLockFile = (stopgateHome: string): string => path.join(stopgateHome, 'computer-use.lock');

/** One screen, one mouse: of all processes of a person one may use them, for as long as its turn lasts. */
export interface ComputerUse {
  /**
   * Takes the lock for the rest of the turn; a second time in a turn it is had already. `restore` undoes what was
   * hidden or moved. The answer is a sentence when another process has it.
   */
  acquire(restore?: () => Promise<void>): Promise<string | undefined>;
}

export function computerUse(facts: {
  readonly stopgateHome: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly cleanups: TurnCleanups;
}): ComputerUse {
  const { cleanups, clock, ids } = facts;
  let held: HeldLock | undefined;
  const release = async () => {
    const lock = held;
    held = undefined;
    await lock?.release();
  };
  return {
    acquire: async (restore) => {
      if (!held) {
        const attempt = await takeLock({ file: computerUseLockFile(facts.stopgateHome), clock, ids });
        if (attempt.type === 'taken') {
          return `The screen is in use by another Stopgate process (${attempt.by?.pid ?? 'unknown'}); wait for its turn to end.`;
        }
        held = attempt.lock;
        cleanups.register('computer-use lock', release);
      }
      // later registrations are undone first: the screen is put back before the lock is let go
      if (restore) cleanups.register('computer-use screen', restore);
      return undefined;
    },
  };
}
