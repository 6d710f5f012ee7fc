import type { LeaseLost } from '../../claimTypes.ts';
import { type HeldTask, isLive } from '../attemptRows.ts';

export const OFFER_EXPIRED = 'offer_expired';

/**
 * Whether what it holds is still its own. Both sides must agree: an attempt nobody ended, of the latest epoch. Never the clock:
 * a worker that is late but was not replaced has done no harm.
 */
export function isHeld(held: HeldTask): boolean {
  return isLive(held.state) && held.taskState === 'claimed' && held.epoch === held.taskEpoch;
}

/** Given up by somebody else, and nobody has taken it since: what it has to say still counts. */
export function wasGivenUp(held: HeldTask): boolean {
  return endedByOthers(held) && held.taskState === 'queued' && held.epoch === held.taskEpoch;
}

/** Why an attempt that is not held any more cannot be settled this way. */
export function leaseLost(held: HeldTask | undefined): LeaseLost {
  if (!held) return { type: 'unknownAttempt' };
  if (held.state === 'cancelled') return { type: 'cancelled' };
  if (endedByOthers(held) || isLive(held.state)) {
    return { type: 'superseded', epoch: held.taskEpoch, taskState: held.taskState };
  }
  return { type: 'settled', state: held.state };
}

function endedByOthers({ state, outcome }: HeldTask): boolean {
  return state === 'lost' || state === 'superseded' || outcome === OFFER_EXPIRED;
}
