import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { openSqliteStore } from '../../store/sqlite/sqliteStore.ts';
import type { Store, Unavailable } from '../../store/types.ts';
import { UserError } from '../userError.ts';
import { chooseStorePlace, placeInWords, type StorePlace } from './storePlace.ts';
import type { TaskWorld } from './taskWorld.ts';

/** What the outside does wrong: exit 1, unlike wrong use. */
export const UNAVAILABLE_EXIT = 1;

/** The store that flag and environment choose; a sentence when there is none. */
export async function openTaskStore(flag: string | undefined, world: TaskWorld): Promise<Store> {
  return openPlace(chooseStorePlace({ flag, ...world }));
}

/** The same for commands that only look: a path with a typing mistake must not become a new store. */
export async function openTaskStoreToRead(flag: string | undefined, world: TaskWorld): Promise<Store> {
  const place = chooseStorePlace({ flag, ...world });
  if (place.type === 'sqlite' && !place.isDefault && !existsSync(place.path)) {
    throw new UserError(`There is no store at ${place.path}; check the path, or make one with \`stopgate task add\`.`);
  }
  return openPlace(place);
}

export async function openPlace(place: StorePlace): Promise<Store> {
  const store = await open(place);
  if (!('type' in store)) return store;
  throw new UserError(store.reason, UNAVAILABLE_EXIT);
}

async function open(place: StorePlace): Promise<Store | Unavailable> {
  if (place.type === 'postgres') {
    throw new UserError(`PostgreSQL stores are not built in yet, so ${placeInWords(place)} cannot be opened.`);
  }
  if (place.isDefault) mkdirSync(path.dirname(place.path), { recursive: true, mode: 0o700 });
  return openSqliteStore({ path: place.path });
}
