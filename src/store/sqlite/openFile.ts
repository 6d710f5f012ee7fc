import { resolve } from 'node:path';
import { systemClock } from '../../system/clock.ts';
import type { Store } from '../types.ts';
import type { Unavailable } from '../unavailable.ts';
import { directAccess, type SqliteAccess } from './access.ts';
import { brokeredAccess } from './broker/brokeredAccess.ts';
import { findBroker } from './broker/findBroker.ts';
import { socketPath, whyNotToConnect } from './broker/socketPath.ts';
import { makeFile } from './makeFile.ts';
import { openEngine, type SqliteOptions, sqliteStore } from './sqliteStore.ts';

export interface FileOptions extends SqliteOptions {
  /** Serve the file to other processes, for as long as this one has it open, unless somebody does already. */
  readonly serve?: boolean;
  /** Called with what a person should know although the store can be used; a warning of the process by default. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
}

/** A store in a file, made with its folder when it is not there: through whoever serves it, or directly. */
export async function openFileStore(options: FileOptions): Promise<Store | Unavailable> {
  const { clock = systemClock, serve = false } = options;
  const path = resolve(options.path);
  const openDirect = (): SqliteAccess | Unavailable => {
    const problem = makeFile(path);
    if (problem) return problem;
    const engine = openEngine({ ...options, path });
    return 'type' in engine ? engine : directAccess(engine, clock);
  };
  const onNotice = options.onNotice ?? ((sentence: string) => process.emitWarning(sentence));
  const socket = socketPath(path);
  const file = { path, openDirect, broker: findBroker(socket, { clock: systemClock, onNotice }) };
  // why a socket of another user is not used is reported when a request would go there
  if (whyNotToConnect(socket) === null && (await file.broker.now())) return sqliteStore(brokeredAccess(file), clock);
  const direct = openDirect();
  if ('type' in direct) return direct;
  if (!serve) return sqliteStore(brokeredAccess({ ...file, direct }), clock);
  const { serveBroker } = await import('./broker/serveBroker.ts');
  const broker = await serveBroker(direct);
  if (!('type' in broker)) return sqliteStore(broker.access, clock);
  onNotice(broker.reason);
  return sqliteStore(brokeredAccess({ ...file, direct }), clock);
}
