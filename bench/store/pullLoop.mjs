import { performance } from 'node:perf_hooks';

/** One task before the measurement, for every contestant: the first one pays for plans and scripts that are cached. */
export async function warmUp({ claim, complete }) {
  const claimed = await claim();
  if (claimed) await complete(claimed);
}

/** For contestants that are polled for tasks: one at a time, until the time is over or there are none. */
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

/**
 * For contestants whose workers complete a task and claim the next in one call. The first is claimed before the measurement,
 * as graphile-worker's is.
 */
export async function joinedLoop({ first, complete, completeAndClaim }, { isOver, done }) {
  let claimed = first;
  while (claimed) {
    const next = isOver() ? await complete(claimed).then(() => undefined) : await completeAndClaim(claimed);
    done(undefined);
    claimed = next;
  }
}
