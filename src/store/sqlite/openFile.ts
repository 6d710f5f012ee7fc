import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { systemClock } from '../../system/clock.ts';
import { ownValue } from '../../system/ownValue.ts';
import type { Store } from '../types.ts';
import { type Unavailable, unavailable } from '../unavailable.ts';
import { brokeredTransport } from './broker/brokeredTransport.ts';
import { findBroker } from './broker/findBroker.ts';
import { socketPath, whyNotToConnect } from './broker/socketPath.ts';
import { openEngine, openSqliteStore, type SqliteOptions, sqliteStore } from './sqliteStore.ts';
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
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const reason = ownValue(REASONS, code);
    if (!reason) throw error;
    return unavailable(code === 'ENOSPC' || code === 'EDQUOT' ? 'diskFull' : 'unreachable', reason(path, folder));
  }
}

const mayNotWrite = (path: string, folder: string) =>
  `The store ${path} cannot be created because the folder ${folder} may not be written; change its permissions or choose another path.`;
const noSpace = (path: string) => `The store ${path} cannot be created because the disk is full; free some space.`;
const notAFolder = (path: string, folder: string) =>
  `The store ${path} cannot be created because ${folder} is not a folder; choose another path.`;

const REASONS: Readonly<Record<string, (path: string, folder: string) => string>> = {
  EACCES: mayNotWrite,
  EPERM: mayNotWrite,
  EROFS: mayNotWrite,
  ENOTDIR: notAFolder,
  EEXIST: notAFolder,
  ENOSPC: noSpace,
  EDQUOT: noSpace,
};
