import { openSqliteStore } from '../../store/sqlite/sqliteStore.ts';
import type { Store, Unavailable } from '../../store/types.ts';
import { chooseStorePlace } from '../tasks/storePlace.ts';

/** The task store, for a hook: what is wrong with it is an answer, never an exception. */
export async function openGateStore(world: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stopgateHome: string;
}): Promise<Store | Unavailable> {
  const place = chooseStorePlace({ env: world.env, stopgateHome: world.stopgateHome, cwd: process.cwd() });
  if (place.type === 'sqlite') return openSqliteStore({ path: place.path });
  const { openPostgresStore } = await import('../../store/postgres/postgresStore.ts');
  return openPostgresStore({ url: place.url, connections: 2 });
}
