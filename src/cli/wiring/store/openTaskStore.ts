import { existsSync, statSync } from 'node:fs';
import { openFileStore } from '../../../store/sqlite/openFile.ts';
import { UserError } from '../../../system/userError.ts';
import type { Store, Unavailable } from './openedStore.ts';
import { chooseStorePlace, type StorePlace } from './storePlace.ts';
import type { TaskWorld } from './taskWorld.ts';

/** What the outside does wrong: exit 1, unlike wrong use. */
export const UNAVAILABLE_EXIT = 1;

/** The store that flag and environment choose; a sentence when there is none. */
export async function openTaskStore(flag: string | undefined, world: TaskWorld): Promise<Store> {
  const place = chooseStorePlace({ flag, ...world });
  const store = await openPlace(place, world);
  return world.endsWithCommand && place.type === 'sqlite' ? leftOpen(store, place.path) : store;
}

/** Above this the next process would need longer to read the log than this one to put it away. */
const LARGE_LOG_BYTES = 256 * 1024;

/**
 * The last process to close a SQLite store copies its log into the file and removes it, and the next one makes it anew: four
 * syncs of the disk around a claim that needs one. A log that is left is what every crash leaves too.
 */
function leftOpen(store: Store, file: string): Store {
  const dispose = async () => {
    const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
    if (log === undefined || log.size > LARGE_LOG_BYTES) await store.close();
  };
  return { ...store, [Symbol.asyncDispose]: dispose };
}

/** The same for commands that only look: a path with a typing mistake must not become a new store. */
export async function openTaskStoreToRead(flag: string | undefined, world: TaskWorld): Promise<Store> {
  const place = chooseStorePlace({ flag, ...world });
  if (place.type === 'sqlite' && !place.isDefault && !existsSync(place.path)) {
    throw new UserError(`There is no store at ${place.path}; check the path, or make one with \`stopgate task add\`.`);
  }
  return openPlace(place, world);
}

export async function openPlace(place: StorePlace, world: Pick<TaskWorld, 'openPostgres' | 'warn'>): Promise<Store> {
  const store = await open(place, world);
  if (!('type' in store)) return store;
  throw new UserError(store.reason, UNAVAILABLE_EXIT);
}

async function open(
  place: StorePlace,
  { openPostgres, warn }: Pick<TaskWorld, 'openPostgres' | 'warn'>,
): Promise<Store | Unavailable> {
  if (place.type === 'postgres') {
    if (!openPostgres) throw new Error('This way in opens files only');
    return openPostgres(place.url);
  }
  return openFileStore({ path: place.path, onNotice: warn });
}
