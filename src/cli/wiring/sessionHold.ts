import path from 'node:path';
import type { LockHolder } from '../../schemas/lockHolder.ts';
import { type HeldLock, takeLock } from '../../system/pidLock.ts';
import { isSameProcess } from '../../system/processLife.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import type { HoldSession } from './sessionHistory.ts';

/** "Try again later" in sysexits.h, so that a script can distinguish it from a failure. */
const SESSION_IN_USE_EXIT = 75;

/** For a lock whose owner died while taking it over. */
const TRIES = 10;
const PAUSE_MS = 20;

/**
 * One process writes to a transcript at a time. A second one fails instead of waiting, since a session may last for hours.
 * The lock of a killed process is taken over. The lock is released with `opened`.
 */
export function sessionHold(world: World, warn: (sentence: string) => void, opened: AsyncDisposableStack): HoldSession {
  return async (sessionsDir, sessionId) => {
    try {
      const lock = await take(path.join(sessionsDir, `${sessionId}.lock`), sessionId, world);
      opened.defer(() => lock.release());
    } catch (error) {
      if (error instanceof UserError) throw error;
      warn(`Session ${sessionId} is not locked against a second run: ${(error as Error).message}.`);
    }
  };
}

async function take(file: string, sessionId: string, { clock, ids }: World): Promise<HeldLock> {
  for (let tries = 1; ; tries++) {
    const attempt = await takeLock({ file, clock, ids });
    if (attempt.type === 'held') return attempt.lock;
    if (tries === TRIES || isHeld(attempt.by)) throw inUse(sessionId, attempt.by);
    await clock.sleep(PAUSE_MS);
  }
}

const isHeld = (by: LockHolder | undefined): boolean => by !== undefined && isSameProcess(by.pid, by.startedAt);

function inUse(sessionId: string, by: LockHolder | undefined): UserError {
  const who = by ? `process ${by.pid} on ${by.host}` : 'another process';
  return new UserError(
    `Session ${sessionId} is in use by ${who}: wait until it has ended, or continue in a copy with --resume ${sessionId} --fork-session.`,
    SESSION_IN_USE_EXIT,
  );
}
