import type { Clock } from '../system/clock.ts';
import type { Store } from './types.ts';
import type { Unavailable } from './unavailable.ts';

export interface OpenStoreOptions {
  /** Where the store is when nobody says. */
  readonly defaultPath: string;
  /** A file is served to other processes by this one: for those that have it open for long. */
  readonly serve?: boolean;
  /** Called with what a person should know although the store can be used. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
  /** PostgreSQL: the schema, and how many connections at most. */
  readonly schema?: string;
  readonly connections?: number;
  readonly clock?: Clock;
  readonly random?: () => number;
}

/**
 * The store that a person names: `postgres://…`, a path, `:memory:`, or nothing for the default path. What cannot be opened
 * is told in one sentence. Only the code of the store that is opened is loaded.
 */
export async function openStore(spec: string | undefined, options: OpenStoreOptions): Promise<Store | Unavailable> {
  const place = spec === undefined || spec === '' ? options.defaultPath : spec;
  if (/^postgres(ql)?:\/\//.test(place)) {
    const { openPostgresStore } = await import('./postgres/postgresStore.ts');
    return openPostgresStore({ ...options, url: place });
  }
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(place)?.[1];
  if (scheme !== undefined) {
    const reason = `A store is a path or postgres://…; ${scheme}:// is neither.`;
    return { type: 'unavailable', cause: 'unusable', reason };
  }
  if (place === ':memory:') {
    const { openSqliteStore } = await import('./sqlite/sqliteStore.ts');
    return openSqliteStore({ ...options, path: place });
  }
  const { openFileStore } = await import('./sqlite/openFile.ts');
  return openFileStore({ ...options, path: place });
}
