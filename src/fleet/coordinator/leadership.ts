import type { Unavailable } from '../../store/types.ts';
import type { CoordinatorWorld } from './coordinatorWorld.ts';
import { FLEET_DEFAULTS, type FleetSettings } from './fleetSettings.ts';

export type Leadership =
  | { readonly type: 'leading'; readonly epoch: number; readonly untilAt: number }
  | { readonly type: 'following'; readonly holder: string; readonly epoch: number; readonly untilAt: number };

/** A third of the term is left when it is renewed, a third when a look comes late. */
const RENEW_SHARE = 1 / 3;

/** Leads, or goes on leading, or finds out who does. Asks the store only when the answer may be another one. */
export async function lead(
  world: CoordinatorWorld,
  settings: FleetSettings,
  { before, now }: { readonly before: Leadership | null; readonly now: number },
): Promise<Leadership | Unavailable> {
  const { leadMs: ttlMs = FLEET_DEFAULTS.leadMs, name } = settings;
  if (before && isStillSo(world, before, now, ttlMs)) return before;
  const ask = () => world.store.lead({ name: leaseName(name), holder: world.holder, ttlMs });
  const answer = await ask();
  if (answer.type !== 'following' || !world.isHolderGone(answer.holder)) return answer;
  // it was killed and cannot give its term up itself; nobody has to wait for that to run out
  const { holder, epoch } = answer;
  await world.store.resign({ name: leaseName(name), holder, epoch });
  return ask();
}

function isStillSo(world: CoordinatorWorld, before: Leadership, now: number, ttlMs: number): boolean {
  const leftMs = before.untilAt - now;
  if (before.type === 'leading') return leftMs > ttlMs * (1 - RENEW_SHARE) && leftMs <= ttlMs;
  return leftMs > 0 && !world.isHolderGone(before.holder);
}

export const leaseName = (fleet: string) => `fleet:${fleet}`;
