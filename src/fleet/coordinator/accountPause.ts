import type { AccountPause } from '../decisions/fleetFacts.ts';
import type { FleetMemory } from './fleetMemory.ts';
import type { StoreSnapshot } from './storeSnapshot.ts';

/**
 * The pause of the fleet's account, remembered beyond its end: the store then only says that there is none, and everybody
 * would start again in the same second. One that was ended early is forgotten at once.
 */
export function accountPause(memory: FleetMemory, key: string, { accounts, now }: StoreSnapshot): AccountPause | null {
  const { pausedUntil = null, source = null } = accounts.find((account) => account.key === key) ?? {};
  const before = memory.account;
  if (pausedUntil === null) {
    if (before && before.pausedUntil > now) memory.account = null;
  } else if (before === null || before.pausedUntil < now) memory.account = { pausedAt: now, pausedUntil, source };
  else if (before.pausedUntil !== pausedUntil) memory.account = { ...before, pausedUntil, source };
  return memory.account;
}
