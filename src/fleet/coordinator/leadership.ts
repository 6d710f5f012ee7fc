import type { OtherLease, Outcomes, Unavailable } from '../../store/types.ts';
import { FLEET_LEADER } from '../../store/worker.ts';
import { UserError } from '../../system/userError.ts';
import { DEFAULT_LEASE, describeOtherLease } from '../decisions/leaseTimes.ts';
import type { CoordinatorWorld } from './coordinatorWorld.ts';
import type { FleetSettings } from './fleetSettings.ts';

export type Leadership = Exclude<Outcomes['lead'], OtherLease>;

/** Renewed after a third of its term, which leaves room for late ticks. */
const RENEW_SHARE = 1 / 3;

/** Takes or keeps the lead, or returns who leads. Calls the store only when the answer may have changed. */
export async function lead(
  world: CoordinatorWorld,
  settings: FleetSettings,
  { before, now }: { readonly before: Leadership | null; readonly now: number },
): Promise<Leadership | Unavailable> {
  const { name, lease = DEFAULT_LEASE } = settings;
  const { leadMs: ttlMs, leaseMs } = lease;
  if (before && isStillValid(world, before, now, ttlMs)) return before;
  const tryToLead = async () => {
    const answer = await world.store.lead({ name: leaseName(name), holder: world.holder, ttlMs, leaseMs });
    // it would judge the workers of other machines too early or too late; the store has no other worker than those
    if (answer.type === 'otherLease') throw new UserError(describeOtherLease(leaseMs, answer.leaseMs));
    return answer;
  };
  const answer = await tryToLead();
  if (answer.type !== 'following' || !world.isHolderGone(answer.holder)) return answer;
  // it was killed and cannot resign itself; do not wait for its term to expire
  const { holder, epoch } = answer;
  await world.store.resign({ name: leaseName(name), holder, epoch });
  return tryToLead();
}

function isStillValid(world: CoordinatorWorld, before: Leadership, now: number, ttlMs: number): boolean {
  const leftMs = before.untilAt - now;
  if (before.type === 'leading') return leftMs > ttlMs * (1 - RENEW_SHARE) && leftMs <= ttlMs;
  return leftMs > 0 && !world.isHolderGone(before.holder);
}

export const leaseName = (fleet: string) => `${FLEET_LEADER}${fleet}`;
