import type { Clock } from '../../system/clock.ts';
import { systemClock } from '../../system/clock.ts';
import { storeOver } from '../operationsOver.ts';
import type { Store } from '../types.ts';
import type { Unavailable } from '../unavailable.ts';
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
  const { path: location, perform, changed, close } = transport;
  return storeOver({
    about: { kind: 'sqlite', location },
    clock,
    perform,
    changed,
    exportAll: () => exportRows(transport.engine()),
    importAll: (rows) => importRows(transport.engine(), rows),
    close,
  });
}
