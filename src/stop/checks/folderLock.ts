import type { LockHolder } from '../../schemas/lockHolder.ts';
import type { Clock } from '../../system/clock.ts';
import { systemIds } from '../../system/ids.ts';
import { readHolder, takeLock } from '../../system/pidLock.ts';

/** Checks of one folder run one session at a time: they share a build folder, ports and caches. */
export type FolderLock =
  | {
      readonly type: 'held';
      /** Names this run, for sessions that wait for it. */
      readonly token: string;
      /** The runs that were waited for. */
      readonly waitedFor: ReadonlySet<string>;
      readonly waitedMs: number;
      release(): Promise<void>;
    }
  /** Another session's checks still run at the deadline. */
  | { readonly type: 'taken'; readonly pid: number | null; readonly waitedMs: number }
  /** Nothing can be locked here; checks run unguarded, which is said. */
  | { readonly type: 'failed'; readonly reason: string };

export interface LockWish {
  readonly file: string;
  readonly clock: Clock;
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
  /** Called once, when another session's checks are waited for. */
  readonly onWait: (holder: LockHolder | undefined) => void;
}

const LOOK_AGAIN_MS = 100;

/** Takes the lock of a folder, or waits for it. A holder that was killed holds nothing: see `pidLock.ts`. */
export async function lockFolder({ file, clock, deadlineAt, signal, onWait }: LockWish): Promise<FolderLock> {
  const startedAt = clock.now();
  const waitedFor = new Set<string>();
  let isWaiting = false;
  try {
    for (;;) {
      const attempt = await takeLock({ file, clock, ids: systemIds });
      const waitedMs = isWaiting ? clock.now() - startedAt : 0;
      if (attempt.type === 'held') {
        const token = (await readHolder(file))?.token ?? '';
        return { type: 'held', token, waitedFor, waitedMs, release: () => attempt.lock.release() };
      }
      if (attempt.by) waitedFor.add(attempt.by.token);
      if (!isWaiting) onWait(attempt.by);
      isWaiting = true;
      if (signal.aborted || clock.now() + LOOK_AGAIN_MS >= deadlineAt) {
        return { type: 'taken', pid: attempt.by?.pid ?? null, waitedMs };
      }
      await clock.sleep(LOOK_AGAIN_MS, signal);
    }
  } catch (error) {
    return { type: 'failed', reason: (error as Error).message };
  }
}
