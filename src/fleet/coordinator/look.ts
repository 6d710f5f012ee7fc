import type { Account, Launch, Store, Unavailable, Worker } from '../../store/types.ts';
import { LAUNCHES_WITHIN_MS } from './runEnds.ts';

/** What the store says, all of it as of nearly one moment. */
export interface StoreLook {
  readonly type: 'look';
  /** By the store's clock. */
  readonly now: number;
  readonly workers: readonly Worker[];
  readonly launches: readonly Launch[];
  readonly accounts: readonly Account[];
  readonly ready: number;
}

export interface LookRequest {
  readonly queue: string;
  readonly types: readonly string[] | null;
}

export async function lookAtStore(store: Store, { queue, types }: LookRequest): Promise<StoreLook | Unavailable> {
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
    type: 'look',
    now: workers.now,
    workers: workers.workers,
    launches: launches.launches,
    accounts: accounts.accounts,
    ready: readiness.queuePaused ? 0 : readiness.ready,
  };
}
