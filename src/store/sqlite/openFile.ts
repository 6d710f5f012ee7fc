import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Clock, systemClock } from '../../system/clock.ts';
import { storeOver } from '../operationsOver.ts';
import type { Store } from '../types.ts';
import { type Unavailable, type UnavailableCause, unavailable } from '../unavailable.ts';
import { brokeredTransport } from './broker/brokeredTransport.ts';
import { findBroker } from './broker/findBroker.ts';
import { socketPath, whyNotToConnect } from './broker/socketPath.ts';
import { createEngine, type Engine } from './engine.ts';
import { exportRows, importRows } from './exportRows.ts';
import { openDatabase } from './openDatabase.ts';
import { directTransport, type SqliteTransport } from './transport.ts';

export interface FileOptions extends SqliteOptions {
  /** Serve the file to other processes while this one has it open, unless another process already does. */
  readonly serve?: boolean;
  /** Called with notices although the store can be used; default: a process warning. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
}

/** A store in a file, created with its folder if it is missing: through the process that serves it, or directly. */
export async function openFileStore(options: FileOptions): Promise<Store | Unavailable> {
  if (options.path === ':memory:') return openSqliteStore(options);
  const { clock = systemClock, serve = false } = options;
  const path = resolve(options.path);
  const openDirect = (): SqliteTransport | Unavailable => {
    const problem = createFile(path);
    if (problem) return problem;
    const engine = openEngine({ ...options, path });
    return 'type' in engine ? engine : directTransport(engine, clock);
  };
  const onNotice = options.onNotice ?? ((sentence: string) => process.emitWarning(sentence));
  const socket = socketPath(path);
  const file = { path, openDirect, broker: findBroker(socket, { clock: systemClock, onNotice }) };
  // findBroker reports why a socket of another user is not used
  if (whyNotToConnect(socket) === null && (await file.broker.now())) return sqliteStore(brokeredTransport(file), clock);
  const direct = openDirect();
  if ('type' in direct) return direct;
  if (!serve) return sqliteStore(brokeredTransport({ ...file, direct }), clock);
  const { serveBroker } = await import('./broker/serveBroker.ts');
  const broker = await serveBroker(direct);
  if (!('type' in broker)) return sqliteStore(broker.transport, clock);
  onNotice(broker.reason);
  return sqliteStore(brokeredTransport({ ...file, direct }), clock);
}

/** Creates an empty file that only its owner can read, and its folder, if missing. */
function createFile(path: string): Unavailable | undefined {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) return undefined;
    return unavailable('unusable', `${path} is a folder; a store is a file.`);
  }
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
    return undefined;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const code = String(error.code);
    const [, cause, why] = REASONS.find(([codes]) => codes.includes(code)) ?? otherReason(code);
    return unavailable(cause, `The store ${path} cannot be created because ${why(folder)}.`);
  }
}

const mayNotWrite = (folder: string) =>
  `the folder ${folder} may not be written; change its permissions or choose another path`;

type Why = (folder: string) => string;

const REASONS: readonly (readonly [codes: readonly string[], cause: UnavailableCause, why: Why])[] = [
  [['EACCES', 'EPERM', 'EROFS'], 'unreachable', mayNotWrite],
  [['ENOTDIR', 'EEXIST'], 'unreachable', (folder) => `${folder} is not a folder; choose another path`],
  [['ENOSPC', 'EDQUOT'], 'diskFull', () => 'the disk is full; free some space'],
];

const otherReason = (code: string): (typeof REASONS)[number] => [
  [code],
  'unreachable',
  () => `the system refuses it (${code}); choose another path`,
];

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

function sqliteStore(transport: SqliteTransport, clock: Clock): Store {
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
