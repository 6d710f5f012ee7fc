import path from 'node:path';
import { openStore } from '../../../src/store/openStore.ts';
import { openSqliteStore, type SqliteOptions } from '../../../src/store/sqlite/openFile.ts';
import type { Store } from '../../../src/store/types.ts';
import type { Unavailable } from '../../../src/store/unavailable.ts';
import { type FakeClock, fakeClock } from '../../../src/testing/fakeClock.ts';
import { tempFolder } from '../../../src/testing/tempFolder.ts';

export const SQLITE_KINDS = ['memory', 'file', 'broker'] as const;
export type SqliteKind = (typeof SQLITE_KINDS)[number];

export interface TestFiles extends AsyncDisposable {
  readonly folder: string;
  readonly clock: FakeClock;
  /** Another connection to a file of this name; in memory there is only one. */
  open(name: string, random?: () => number): Promise<Store>;
}

/** Files in a temp folder, closed and gone with their scope. `broker`: the first to open a file serves it to the others. */
export async function testFiles(kind: SqliteKind, startAt: number): Promise<TestFiles> {
  const clock = fakeClock(startAt);
  const closing = new AsyncDisposableStack();
  const folder = closing.use(await tempFolder()).path;
  const inMemory = new Map<string, Store>();
  return {
    folder,
    clock,
    open: async (name, random = Math.random) => {
      const known = inMemory.get(name);
      if (known) return known;
      const place = kind === 'memory' ? ':memory:' : path.join(folder, name);
      const store = closing.use(opened(await openKind(kind, { path: place, clock, random })));
      if (kind === 'memory') inMemory.set(name, store);
      return store;
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

async function openKind(kind: SqliteKind, options: SqliteOptions): Promise<Store | Unavailable> {
  return kind === 'broker' ? openStore(options.path, { ...options, serve: true }) : openSqliteStore(options);
}

export function opened(store: Store | Unavailable): Store {
  if ('type' in store) throw new Error(store.reason);
  return store;
}
