import type { Store } from '../../../store/types.ts';
import { available } from '../../../store/unavailable.ts';

/** What the commands know of a store, in one line of imports. */
export type * from '../../../store/types.ts';
export { available, StoreUnavailableError } from '../../../store/unavailable.ts';

/** What the store's times are compared with: its clock may be another machine's. */
export async function storeTime(store: Store): Promise<number> {
  return available(await store.about()).now;
}
