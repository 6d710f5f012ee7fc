import type { PostgresOptions } from './postgres/postgresStore.ts';
import type { FileOptions } from './sqlite/openFile.ts';
import { parseStorePlace, type StorePlace } from './storePlace.ts';
import type { Store } from './types.ts';
import type { Unavailable } from './unavailable.ts';

/** Each kind of store ignores what is for the other. */
type OpenStoreOptions = Omit<FileOptions, 'path'> & Omit<PostgresOptions, 'url'>;

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
