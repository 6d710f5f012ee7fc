import type { Clock } from '../../system/clock.ts';

const CHECK_EVERY_MS = 1_000;
/** A machine that slept first sends the heartbeat that is due. */
const SLEPT_MS = 10_000;
const AFTER_SLEEP_MS = 5_000;

export interface Cut {
  /** When the last heartbeat was sent that the store accepted. */
  readonly heardAt: () => number;
  /** See `LeaseTimes`. */
  readonly fenceAfterMs: number;
  readonly over: AbortSignal;
}

/**
 * Resolves to true when the worker has been cut off from its store for so long that its agent has to end, and to false when it is
 * over.
 */
export async function cutOff(clock: Clock, { heardAt, fenceAfterMs, over }: Cut): Promise<boolean> {
  let checkedAt = clock.now();
  let notBefore = Number.NEGATIVE_INFINITY;
  while (!over.aborted) {
    const now = clock.now();
    if (now - checkedAt > SLEPT_MS) notBefore = now + AFTER_SLEEP_MS;
    checkedAt = now;
    if (now - heardAt() >= fenceAfterMs && now >= notBefore) return true;
    await clock.sleep(CHECK_EVERY_MS, over);
  }
  return false;
}
