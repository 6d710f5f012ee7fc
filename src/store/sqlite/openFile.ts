import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemClock } from '../../system/clock.ts';
import type { Store } from '../types.ts';
import type { Unavailable } from '../unavailable.ts';
import { directAccess, type SqliteAccess } from './access.ts';
import { brokeredAccess } from './broker/brokeredAccess.ts';
import { socketPath } from './broker/socketPath.ts';
import { makeFile } from './makeFile.ts';
import { openEngine, type SqliteOptions, sqliteStore } from './sqliteStore.ts';

export interface FileOptions extends SqliteOptions {
  /** Serve the file to other processes, for as long as this one has it open, unless somebody does already. */
  readonly serve?: boolean;
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
  if (existsSync(socketPath(path)) && (await isServed(path)))
    return sqliteStore(brokeredAccess(path, openDirect), clock);
  const direct = openDirect();
  if ('type' in direct) return direct;
  if (!serve) return sqliteStore(brokeredAccess(path, openDirect, direct), clock);
  const { serveBroker } = await import('./broker/serveBroker.ts');
  return sqliteStore((await serveBroker(direct)).access, clock);
}

async function isServed(path: string): Promise<boolean> {
  const { connectBroker } = await import('./broker/brokerClient.ts');
  const client = await connectBroker(socketPath(path));
  client?.close();
  return client !== undefined;
}
