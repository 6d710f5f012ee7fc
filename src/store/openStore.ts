import type { Clock } from '../system/clock.ts';
import { parseStorePlace, type StorePlace } from './storePlace.ts';
import type { Store } from './types.ts';
import type { Unavailable } from './unavailable.ts';

interface OpenStoreOptions {
  /** Serve the file to other processes: for long-running processes. */
  readonly serve?: boolean;
  /** Called with notices although the store can be used; default: a process warning. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
  /** PostgreSQL: the schema, and the maximum number of connections. */
  readonly schema?: string;
  readonly connections?: number;
  readonly clock?: Clock;
  readonly random?: () => number;
}

/**
 * The only way to open a store. A place that cannot be opened is an outcome with one sentence. Only the code of the opened kind is
 * loaded.
 */
export async function openStore(
  place: StorePlace | Unavailable | string,
  options: OpenStoreOptions = {},
): Promise<Store | Unavailable> {
  const found = typeof place === 'string' ? parseStorePlace(place) : place;
  if (found.type === 'unavailable') return found;
  if (found.type === 'postgres') {
    const { openPostgresStore } = await import('./postgres/postgresStore.ts');
    return openPostgresStore({ ...options, url: found.url });
  }
  const { openFileStore } = await import('./sqlite/openFile.ts');
  return openFileStore({ ...options, path: found.path });
}
