import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { openStore } from '../../../store/openStore.ts';
import type { StorePlace } from '../../../store/storePlace.ts';
import { type UnavailableCause, unavailable } from '../../../store/unavailable.ts';
import { formatSeconds } from '../../../system/formatDuration.ts';
import { UserError } from '../../../system/userError.ts';
import type { Store, Unavailable } from './openedStore.ts';
import { chooseStorePlace } from './storePlace.ts';
import type { TaskWorld } from './taskWorld.ts';

/** EX_UNAVAILABLE of `sysexits`: the store cannot be reached. */
export const UNAVAILABLE_EXIT = 69;

/**
 * The store that flag or environment choose. `patienceMs`: for a free connection of its server; null: as long as it takes, also for a
 * server that cannot be reached.
 */
export async function openTaskStore(
  flag: string | undefined,
  world: TaskWorld,
  patienceMs: number | null = PATIENCE_MS,
): Promise<Store> {
  checkFolder(chooseStorePlace({ flag, ...world }), world.stopgateHome);
  return usable(await openChosen(flag, world, patienceMs));
}

/** A command gives up then: other processes may keep their connections for hours. */
const PATIENCE_MS = 10_000;

/** The same for a command that can do its work without the store. */
export async function openTaskStoreOrWhy(flag: string | undefined, world: TaskWorld): Promise<Store | Unavailable> {
  return openChosen(flag, world, PATIENCE_MS);
}

async function openChosen(flag: string | undefined, world: TaskWorld, patienceMs: number | null) {
  const place = chooseStorePlace({ flag, ...world });
  const missing = whyNoFolder(place, world.stopgateHome);
  // what settles a task is kept until the folder is there: its disk may not be mounted
  if (missing !== null) return unavailable('unreachable', missing);
  const store = await openFree(place, world, patienceMs);
  if ('type' in store) return store;
  return world.endsWithCommand && place.type === 'sqlite' ? leftOpen(store, place.path) : store;
}

/** The next process would need longer to read a larger log than this one to remove it. */
const LARGE_LOG_BYTES = 256 * 1024;

/**
 * The last process to close a SQLite store copies its log into the file and removes it, and the next one creates it again:
 * four disk syncs for a claim that needs one. A crash also leaves the log, so leaving it is safe.
 */
function leftOpen(store: Store, file: string): Store {
  const dispose = async () => {
    const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
    if (log === undefined || log.size > LARGE_LOG_BYTES) await store.close();
  };
  return { ...store, [Symbol.asyncDispose]: dispose };
}

/** For commands that only read: a path with a typing mistake must not create a new store. */
export async function openTaskStoreToRead(flag: string | undefined, world: TaskWorld): Promise<Store> {
  const place = chooseStorePlace({ flag, ...world });
  if (place.type === 'sqlite' && !place.isDefault && !existsSync(place.path)) {
    throw new UserError(`No store at ${place.path}; check the path, or create one with \`stopgate task add\`.`);
  }
  return openPlace(place, world);
}

/** The same for commands that show tasks or workers: those of a store that has moved are from the time of the move. */
export async function openTaskStoreToShow(flag: string | undefined, world: TaskWorld): Promise<Store> {
  const store = await openTaskStoreToRead(flag, world);
  const about = await store.about();
  if (about.type !== 'unavailable' && about.movedTo !== null) {
    world.warn(
      `The tasks of ${about.location} have moved to ${about.movedTo}; what follows is their state at that time.`,
    );
  }
  return store;
}

/** A path with a typing mistake must not create folders and a store; only Stopgate's own folder is created. */
export function checkFolder(place: StorePlace, stopgateHome: string): void {
  const missing = whyNoFolder(place, stopgateHome);
  if (missing !== null) throw new UserError(missing);
}

function whyNoFolder(place: StorePlace, stopgateHome: string): string | null {
  if (place.type !== 'sqlite' || place.isDefault || place.path === ':memory:') return null;
  const folder = path.dirname(place.path);
  if (path.resolve(folder) === path.resolve(stopgateHome) || existsSync(folder)) return null;
  return `No store at ${place.path}: the folder ${folder} does not exist; check the path, or create the folder.`;
}

export async function openPlace(place: StorePlace, world: Pick<TaskWorld, 'warn' | 'clock'>): Promise<Store> {
  return usable(await openFree(place, world, PATIENCE_MS));
}

/** Waits for a connection of a server that has none left, and without a limit also for the server. */
async function openFree(
  place: StorePlace,
  { warn, clock }: Pick<TaskWorld, 'warn' | 'clock'>,
  patienceMs: number | null,
): Promise<Store | Unavailable> {
  const open = () => openStore(place, { onNotice: warn });
  const first = await open();
  const waitsFor: readonly UnavailableCause[] = patienceMs === null ? ['busy', 'unreachable'] : ['busy'];
  if (!('type' in first) || place.type !== 'postgres' || !waitsFor.includes(first.cause)) return first;
  const reason = first.reason.replace(/; try again\.$/, '');
  const limit = patienceMs === null ? '' : `up to ${formatSeconds(patienceMs)} `;
  warn(
    first.cause === 'busy'
      ? `${reason}; waiting ${limit}for one.`
      : `the store cannot be reached; waiting for it: ${reason}`,
  );
  const { awaitOpen } = await import('../../../fleet/worker/awaitAnswer.ts');
  const wait = { clock, signal: new AbortController().signal, patienceMs, jitter: Math.random() };
  return awaitOpen(open, { waitsFor, onAway: () => {}, wait });
}

function usable(store: Store | Unavailable): Store {
  if (!('type' in store)) return store;
  throw new UserError(store.reason, UNAVAILABLE_EXIT);
}
