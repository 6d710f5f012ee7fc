import type { Store } from '../../../store/types.ts';
import { available } from '../../../store/unavailable.ts';

/** Everything that commands import from a store. */
export type * from '../../../store/types.ts';
export { available, StoreUnavailableError } from '../../../store/unavailable.ts';

/** The store's own clock, which may be on another machine. */
export async function storeTime(store: Store): Promise<number> {
  return available(await store.about()).now;
}
