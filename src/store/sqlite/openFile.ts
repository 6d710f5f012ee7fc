import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemClock } from '../../system/clock.ts';
import type { Store } from '../types.ts';
import type { Unavailable } from '../unavailable.ts';
import { brokeredTransport } from './broker/brokeredTransport.ts';
import { socketPath, whyNotToConnect } from './broker/socketPath.ts';
import { makeFile } from './makeFile.ts';
import { openEngine, openSqliteStore, type SqliteOptions, sqliteStore } from './sqliteStore.ts';
import { directTransport, type SqliteTransport } from './transport.ts';

export interface FileOptions extends SqliteOptions {
  /** Serve the file to other processes while this one has it open, unless another process already does. */
  readonly serve?: boolean;
  /** Called with what a person should know although the store can be used; a warning of the process by default. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
}

/** A store in a file, created with its folder if it is missing: through the process that serves it, or directly. */
export async function openFileStore(options: FileOptions): Promise<Store | Unavailable> {
  if (options.path === ':memory:') return openSqliteStore(options);
  const { clock = systemClock, serve = false } = options;
  const path = resolve(options.path);
  const openDirect = (): SqliteTransport | Unavailable => {
    const problem = makeFile(path);
    if (problem) return problem;
    const engine = openEngine({ ...options, path });
    return 'type' in engine ? engine : directTransport(engine, clock);
  };
  const onNotice = options.onNotice ?? ((sentence: string) => process.emitWarning(sentence));
  const file = { path, openDirect, onNotice };
  if (await isServed(path)) return sqliteStore(brokeredTransport(file), clock);
  const direct = openDirect();
  if ('type' in direct) return direct;
  if (!serve) return sqliteStore(brokeredTransport({ ...file, direct }), clock);
  const { serveBroker } = await import('./broker/serveBroker.ts');
  const broker = await serveBroker(direct);
  if (!('type' in broker)) return sqliteStore(broker.access, clock);
  onNotice(broker.reason);
  return sqliteStore(brokeredTransport({ ...file, direct }), clock);
}

/** Whether a process of this user accepts connections; one of another user is reported when a request would go there. */
async function isServed(path: string): Promise<boolean> {
  const socket = socketPath(path);
  if (!existsSync(socket) || whyNotToConnect(socket) !== null) return false;
  const { connectBroker } = await import('./broker/brokerClient.ts');
  const client = await connectBroker(socket);
  client?.close();
  return client !== undefined;
}
