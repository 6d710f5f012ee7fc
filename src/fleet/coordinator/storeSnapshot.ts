import type { Account, Launch, Store, Unavailable, Worker } from '../../store/types.ts';
import type { FleetSettings } from './fleetSettings.ts';

/** The longest window of any restart policy, plus the pause that follows it. */
const LAUNCHES_WITHIN_MS = 60 * 60_000;

/** The store's contents, all read at nearly the same time. */
export interface StoreSnapshot {
  readonly type: 'snapshot';
  /** By the store's clock. */
  readonly now: number;
  readonly workers: readonly Worker[];
  readonly launches: readonly Launch[];
  readonly accounts: readonly Account[];
  readonly ready: number;
}

export async function readStoreSnapshot(
  store: Store,
  { queue, types }: FleetSettings,
): Promise<StoreSnapshot | Unavailable> {
  const [workers, launches, accounts, readiness] = await Promise.all([
    store.workers({}),
    store.launches({ withinMs: LAUNCHES_WITHIN_MS }),
    store.accounts({}),
    store.readiness({ queue, ...(types && { types }) }),
  ]);
  if (workers.type === 'unavailable') return workers;
  if (launches.type === 'unavailable') return launches;
  if (accounts.type === 'unavailable') return accounts;
  if (readiness.type === 'unavailable') return readiness;
  return {
    type: 'snapshot',
    now: workers.now,
    workers: workers.workers,
    launches: launches.launches,
    accounts: accounts.accounts,
    ready: readiness.queuePaused ? 0 : readiness.ready,
  };
}
