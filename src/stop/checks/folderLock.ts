import type { LockHolder } from '../../schemas/lockHolder.ts';
import type { Clock } from '../../system/clock.ts';
import { systemIds } from '../../system/ids.ts';
import { readHolder, takeLock } from '../../system/pidLock.ts';

/** Only one session at a time runs the checks of a folder: they share a build folder, ports and caches. */
export type FolderLock =
  | {
      readonly type: 'held';
      /** The id of this run, for sessions that wait for it. */
      readonly token: string;
      /** The runs that were waited for. */
      readonly waitedFor: ReadonlySet<string>;
      readonly waitedMs: number;
      release(): Promise<void>;
    }
  /** Another session's checks are still running at the deadline. */
  | { readonly type: 'taken'; readonly pid: number | null; readonly waitedMs: number }
  /** Nothing can be locked here; checks run without a lock, and a note reports it. */
  | { readonly type: 'failed'; readonly reason: string };

export interface LockWish {
  readonly file: string;
  readonly clock: Clock;
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
  /** Called once, when it has to wait for another session's checks. */
  readonly onWait: (holder: LockHolder | undefined) => void;
}

const RETRY_MS = 100;

/** Waits for the lock of a folder. A killed process does not keep it: see `pidLock.ts`. */
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
      if (signal.aborted || clock.now() + RETRY_MS >= deadlineAt) {
        return { type: 'taken', pid: attempt.by?.pid ?? null, waitedMs };
      }
      await clock.sleep(RETRY_MS, signal);
    }
  } catch (error) {
    return { type: 'failed', reason: (error as Error).message };
  }
}
