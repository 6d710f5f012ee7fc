import type { Clock } from '../../system/clock.ts';
import type { Engine } from './engine.ts';

/** How long a task that another process added may wait to be seen. */
const LOOK_EVERY_MS = 100;

export interface Changes {
  /** Resolves when the file changed, when the time is over, or when the signal aborts. */
  next(withinMs: number, signal: AbortSignal | undefined): Promise<void>;
}

/**
 * Sees commits of other processes by SQLite's own counter, which costs a look into shared memory, and those of this process,
 * which that counter leaves out, by being told.
 */
export function watchChanges(engine: Engine, clock: Clock): Changes {
  let ownCommits = 0;
  engine.onCommit(() => {
    ownCommits += 1;
  });
  const version = (): string => {
    if (!engine.database.isOpen) return 'closed';
    const seen = engine.tables.get<{ data_version: number }>('PRAGMA data_version');
    return `${seen?.data_version} ${ownCommits}`;
  };
  return {
    next: async (withinMs, signal) => {
      const before = version();
      const endAt = clock.now() + withinMs;
      for (let leftMs = withinMs; leftMs > 0 && !signal?.aborted; leftMs = endAt - clock.now()) {
        await clock.sleep(Math.min(LOOK_EVERY_MS, leftMs), signal);
        if (version() !== before) return;
      }
    },
  };
}
