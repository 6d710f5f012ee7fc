import type { Clock } from '../../system/clock.ts';
import { systemClock } from '../../system/clock.ts';
import { operationsOver } from '../operationsOver.ts';
import type { AboutOutcome, Store } from '../types.ts';
import type { Unavailable } from '../unavailable.ts';
import { type Probe, waitForWork } from '../waitForWork.ts';
import { createEngine, type Engine } from './engine.ts';
import { exportRows, importRows } from './exportRows.ts';
import { openDatabase } from './openDatabase.ts';
import { directTransport, type SqliteTransport } from './transport.ts';

export interface SqliteOptions {
  /** `:memory:` for a store that ends with the process. */
  readonly path: string;
  readonly clock?: Clock;
  readonly random?: () => number;
}

export function openSqliteStore(options: SqliteOptions): Store | Unavailable {
  const { clock = systemClock } = options;
  const engine = openEngine(options);
  return 'type' in engine ? engine : sqliteStore(directTransport(engine, clock), clock);
}

export function openEngine({ path, clock = systemClock, random = Math.random }: SqliteOptions): Engine | Unavailable {
  const database = openDatabase(path);
  return 'type' in database ? database : createEngine(database, path, { clock, random });
}

export function sqliteStore(transport: SqliteTransport, clock: Clock): Store {
  const { perform, changed, close } = transport;
  return {
    ...operationsOver(perform),
    about: async () => ({ ...(await perform('about', {})), kind: 'sqlite', location: transport.path }) as AboutOutcome,
    waitForWork: (request) => {
      const { queue, types } = request;
      const probe = () => perform('probe', { queue, types }) as Promise<Probe | Unavailable>;
      return waitForWork({ clock, probe, changed }, request);
    },
    startMove: (request) => perform('startMove', request) as ReturnType<Store['startMove']>,
    cancelMove: () => perform('cancelMove', {}) as ReturnType<Store['cancelMove']>,
    exportAll: () => exportRows(transport.engine()),
    importAll: (rows) => importRows(transport.engine(), rows),
    close,
    [Symbol.asyncDispose]: close,
  };
}
