import type { Store } from '../../../store/types.ts';
import { available } from '../../../store/unavailable.ts';
import { type Clock, wallNow } from '../../../system/clock.ts';

/** Everything that commands import from a store. */
export type * from '../../../store/types.ts';
export { available, StoreUnavailableError } from '../../../store/unavailable.ts';

/** The store's own clock, which may be on another machine. */
export async function storeTime(store: Store): Promise<number> {
  return available(await store.about()).now;
}

/**
 * How far the store's clock is ahead of this machine's. A time of this machine is one of the store once this is added: without that,
 * the two must not be compared.
 */
export async function storeAheadMs(store: Store, clock: Pick<Clock, 'now' | 'wall'>): Promise<number> {
  return (await storeTime(store)) - wallNow(clock);
}
