import { chmodSync, mkdirSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { SqliteTransport } from '../transport.ts';
import { type Client, groupCommit } from './groupCommit.ts';
import { BROKER_LIMITS, type BrokerLimits } from './limits.ts';
import { serveConnection } from './serveConnection.ts';
import { inodeOf, socketPath, whyNotToBind } from './socketPath.ts';

export interface Broker extends AsyncDisposable {
  readonly socket: string;
  /** For the serving process itself: it waits its turn like all clients. */
  readonly transport: SqliteTransport;
}

/**
 * Lets other processes use a database through this one, in turn. On their own they would compete for the write lock, and those
 * that sleep between tries would starve. Without it, each process can still use the file directly.
 */
export async function serveBroker(
  direct: SqliteTransport,
  limits: BrokerLimits = BROKER_LIMITS,
): Promise<Broker | { readonly type: 'notServed'; readonly reason: string }> {
  const commit = groupCommit(direct.engine());
  const connections = new Set<Socket>();
  const server = createServer((connection) => {
    connections.add(connection.unref());
    connection.on('close', () => connections.delete(connection));
    serveConnection(connection, { direct, commit, limits });
  });
  server.maxConnections = limits.connections;
  const socket = socketPath(direct.path);
  const failure = whyNotToBind(socket) === null ? await listenPrivately(server, socket) : null;
  const why = whyNotToBind(socket) ?? (failure && `${failure}, so the store is used without one.`);
  if (why !== null) return { type: 'notServed', reason: why };
  const inode = inodeOf(socket);
  // serving alone does not keep the process alive
  server.unref();
  const stop = async () => {
    // another broker may have taken over the address
    if (inodeOf(socket) === inode) unlinkSync(socket);
    for (const connection of connections) connection.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  const self: Client = { queue: [], gone: false };
  const transport: SqliteTransport = {
    ...direct,
    perform: (operation, request, key) =>
      new Promise((resolve, reject) => {
        const reply = (outcome: object | Error) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
        commit(self, { operation, request, key, reply });
      }),
    close: async () => {
      await stop();
      await direct.close();
    },
  };
  return { socket, transport, [Symbol.asyncDispose]: transport.close };
}

/**
 * Created in a folder that only this user can enter, then renamed: no client sees an unfinished socket, no other user one with the
 * permissions of the umask, and a dead one is replaced. Returns why it cannot listen, or null.
 */
export async function listenPrivately(server: Server, socket: string): Promise<string | null> {
  const folder = `${socket}.${process.pid}`;
  const made = join(folder, 's');
  try {
    // left by a killed process with the same id
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(made, () => {
        server.off('error', reject);
        resolve();
      });
    });
    // a connection that cannot be accepted must not end the process: its client uses the file
    server.on('error', () => {});
    chmodSync(made, 0o600);
    renameSync(made, socket);
    return null;
  } catch (error) {
    server.close();
    const { code, message } = error as NodeJS.ErrnoException;
    return `The socket ${socket} cannot be created (${code ?? message})`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
