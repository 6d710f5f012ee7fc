import { performance } from 'node:perf_hooks';

/** For contestants that are asked for tasks: one at a time, until the time is over or there are none. */
export async function pullLoop({ claim, complete }, { isOver, done }) {
  while (!isOver()) {
    const askedAt = performance.now();
    const claimed = await claim();
    const claimMs = performance.now() - askedAt;
    if (!claimed) return;
    await complete(claimed);
    done(claimMs);
  }
}
