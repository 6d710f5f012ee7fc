import type { Store } from '../types.ts';

/**
 * All locations that a store has had: this machine may have records from before it moved. A record of a former location whose attempt
 * the store does not know may belong to another store that was created there since.
 */
export async function locationsOf(store: Pick<Store, 'about'>, location: string): Promise<readonly string[]> {
  const about = await store.about();
  return about.type === 'unavailable' ? [location] : [location, ...about.movedFrom];
}
