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

export interface SessionHold {
  readonly hold: HoldSession;
  release(): Promise<void>;
}

/**
 * One process writes to a transcript at a time. A second one fails instead of waiting, since a session may last for hours.
 * The lock of a killed process is taken over.
 */
export function sessionHold(world: World, warn: (sentence: string) => void): SessionHold {
  let held: HeldLock | undefined;
  return {
    hold: async (sessionsDir, sessionId) => {
      const file = path.join(sessionsDir, `${sessionId}.lock`);
      held = await take(file, sessionId, world).catch((error: unknown) => {
        if (error instanceof UserError) throw error;
        warn(`Session ${sessionId} is not locked against a second run: ${(error as Error).message}.`);
        return undefined;
      });
    },
    release: async () => {
      await held?.release();
      held = undefined;
    },
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

/** Opens a session under its lock, which is released with the session or when opening fails. */
export async function withSessionHold<Session extends AsyncDisposable>(
  { hold, release }: SessionHold,
  open: (hold: HoldSession) => Promise<Session>,
): Promise<Session> {
  try {
    const session = await open(hold);
    const dispose = async () => {
      await session[Symbol.asyncDispose]();
      await release();
    };
    return { ...session, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await release();
    throw error;
  }
}
