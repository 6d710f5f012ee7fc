import type { AccountPause } from '../decisions/fleetFacts.ts';
import { pauseUntil } from '../decisions/rateLimits.ts';
import type { FleetMemory } from './fleetMemory.ts';
import type { ActionContext } from './fleetTick.ts';
import { RATE_LIMITED_EXIT } from './releaseWorker.ts';
import type { StoreSnapshot } from './storeSnapshot.ts';

/**
 * The pause of the fleet's account, remembered after its end, so that workers do not all restart in the same second. A pause
 * that was ended early is forgotten immediately.
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

const OUTAGE_MS = 60_000;

/**
 * A worker that a limit ended usually pauses its account itself. If it could not, a growing guess is used: an end without fault
 * is followed by an immediate start, which would hit the same limit forever.
 */
export async function pauseForLimitedExits({ world, settings, memory, facts }: ActionContext): Promise<void> {
  const limited = [...memory.workers.values()].filter(({ exit, isPauseKnown }) => {
    return exit?.code === RATE_LIMITED_EXIT && !isPauseKnown;
  });
  if (limited.length === 0) return;
  const { now, account, hostEnds = [] } = facts;
  // the same exit code means that the store was unreachable, which then was the reason
  const wasOutage = memory.lastOutageAt !== null && world.clock.now() - memory.lastOutageAt < OUTAGE_MS;
  if (!wasOutage && (account === null || account.pausedUntil <= now)) {
    const others = hostEnds.findIndex(({ ending }) => ending !== 'rateLimited');
    const attempt = Math.max(0, (others === -1 ? hostEnds.length : others) - limited.length);
    const at = pauseUntil({ now, attempt, random: world.random() });
    const key = settings.accountKey;
    const outcome = await world.store.pauseAccount({
      key,
      until: { ms: at - now },
      source: `exit ${RATE_LIMITED_EXIT}`,
    });
    if (outcome.type === 'unavailable') return;
  }
  for (const known of limited) known.isPauseKnown = true;
}
