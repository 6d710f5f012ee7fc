import type { Clock } from '../../system/clock.ts';
import { LIVENESS_LIMITS } from '../decisions/liveness.ts';

/** From the last accepted heartbeat until another host may take the task: silent, suspect, lost. */
const LEASE_MS = LIVENESS_LIMITS.heartbeatMs + LIVENESS_LIMITS.graceMs;
/** For ending an agent and what it started. */
const END_MS = 30_000;
/** The agent must be gone before the lease ends. */
export const FENCE_AFTER_MS = LEASE_MS - END_MS;

const CHECK_EVERY_MS = 1_000;
/** A machine that slept first sends the heartbeat that is due. */
const SLEPT_MS = 10_000;
const AFTER_SLEEP_MS = 5_000;

/**
 * Resolves to true when the worker has been cut off from its store for so long that its agent has to end, and to false when it is
 * over. `heardAt`: when the last heartbeat was sent that the store accepted.
 */
export async function cutOff(clock: Clock, heardAt: () => number, over: AbortSignal): Promise<boolean> {
  let checkedAt = clock.now();
  let notBefore = Number.NEGATIVE_INFINITY;
  while (!over.aborted) {
    const now = clock.now();
    if (now - checkedAt > SLEPT_MS) notBefore = now + AFTER_SLEEP_MS;
    checkedAt = now;
    if (now - heardAt() >= FENCE_AFTER_MS && now >= notBefore) return true;
    await clock.sleep(CHECK_EVERY_MS, over);
  }
  return false;
}
