import type { Store } from '../../store/types.ts';
import { lacksVerifier } from '../../store/verification.ts';
import type { Clock } from '../../system/clock.ts';
import type { Verifier } from './verifier.ts';

interface Watching {
  readonly store: Store;
  readonly clock: Clock;
  readonly queue: string;
  readonly everyMs: number;
}

/** How many of the waiting ones are read; more than the slots of a process. */
const LOOK_AT = 50;

/**
 * The slots of one process look for completed tasks together: one request for all, and as many verifiers are woken as tasks wait.
 * Returns what stands in for `Verifier.watch`.
 */
export function watchTogether({ store, clock, queue, everyMs }: Watching) {
  const verifiers = new Set<Verifier>();
  let isWatching = false;
  const waiting = async (): Promise<number> => {
    const listed = await store.listTasks({ statuses: ['verifying'], order: 'oldest', limit: LOOK_AT, queue });
    if (listed.type !== 'tasks' || listed.tasks.length === 0) return 0;
    const about = await store.about({});
    return about.type === 'about' ? listed.tasks.filter((task) => lacksVerifier(task, about.now)).length : 0;
  };
  const watch = async () => {
    isWatching = true;
    while (verifiers.size > 0) {
      const woken = [...verifiers].slice(0, await waiting());
      for (const verifier of woken) {
        // the others come first the next time
        if (verifiers.delete(verifier)) verifiers.add(verifier);
        // its slot awaits the same verification, and reports its failure
        verifier.all().catch(() => {});
      }
      await clock.sleep(everyMs);
    }
    isWatching = false;
  };
  return async (verifier: Verifier, until: AbortSignal): Promise<void> => {
    if (until.aborted) return;
    verifiers.add(verifier);
    if (!isWatching) void watch();
    await new Promise<void>((resolve) => until.addEventListener('abort', () => resolve(), { once: true }));
    verifiers.delete(verifier);
  };
}
