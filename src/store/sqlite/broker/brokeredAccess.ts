import { existsSync } from 'node:fs';
import { StoreUnavailableError, type Unavailable } from '../../unavailable.ts';
import type { SqliteAccess } from '../access.ts';
import { closed as closedOutcome } from '../failures.ts';
import type { BrokerClient } from './brokerClient.ts';
import { socketPath } from './socketPath.ts';

/** Who did not answer just now is not asked again at once. */
const RETRY_AFTER_MS = 1_000;
/** How long one who serves may go unseen by one who works at the file, and need not look before each request. */
const LOOK_EVERY_MS = 20;

/**
 * Through a process that serves the database while there is one, else at the file itself. When it goes away in the middle, the
 * same request is made again: claims and settlements carry keys, so asking twice does once.
 */
export function brokeredAccess(
  path: string,
  openDirect: () => SqliteAccess | Unavailable,
  direct?: SqliteAccess,
): SqliteAccess {
  const findClient = clientFinder(socketPath(path));
  let isClosed = false;

  const findDirect = (): SqliteAccess | Unavailable => {
    if (isClosed) return closedOutcome(path);
    if (direct) return direct;
    const opened = openDirect();
    if (!('type' in opened)) direct = opened;
    return opened;
  };
  const atTheFile = (...asked: Parameters<SqliteAccess['perform']>): object | Promise<object> => {
    const file = findDirect();
    return 'type' in file ? file : file.perform(...asked);
  };
  return {
    path,
    perform: async (operation, request) => {
      const through = isClosed ? undefined : await findClient.now();
      if (!through) return atTheFile(operation, request);
      try {
        return await through.perform(operation, request);
      } catch (error) {
        if (!(error instanceof Error && error.name === 'BrokerGoneError')) throw error;
        return atTheFile(operation, request);
      }
    },
    changed: async (withinMs, signal) => {
      const through = isClosed ? undefined : await findClient.now();
      if (through) return through.changed(withinMs, signal);
      const file = findDirect();
      if (!('type' in file)) await file.changed(withinMs, signal);
    },
    engine: () => {
      const file = findDirect();
      if ('type' in file) throw new StoreUnavailableError(file);
      return file.engine();
    },
    close: async () => {
      isClosed = true;
      findClient.close();
      await direct?.close();
    },
  };
}

/** The connection to whoever serves, made again when it broke. */
function clientFinder(socket: string) {
  let client: BrokerClient | undefined;
  let connecting: Promise<BrokerClient | undefined> | undefined;
  let notBefore = 0;
  // by the plain clock: `performance` is loaded at its first use, which a short-lived process need not pay for
  let lookedAt = 0;
  const connect = async () => {
    const { connectBroker } = await import('./brokerClient.ts');
    client = await connectBroker(socket);
    if (!client) notBefore = performance.now() + RETRY_AFTER_MS;
    connecting = undefined;
    return client;
  };
  return {
    /** At once what is known; a promise only while there is somebody to connect to. */
    now: (): BrokerClient | undefined | Promise<BrokerClient | undefined> => {
      if (client?.isOpen) return client;
      if (connecting) return connecting;
      const now = Date.now();
      if (Math.abs(now - lookedAt) < LOOK_EVERY_MS) return undefined;
      lookedAt = now;
      // one look at the folder; the network code is only loaded for somebody who answers
      if (!existsSync(socket) || performance.now() < notBefore) return undefined;
      connecting ??= connect();
      return connecting;
    },
    close: () => client?.close(),
  };
}
