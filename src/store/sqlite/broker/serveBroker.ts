import { chmodSync, mkdirSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { SqliteTransport } from '../transport.ts';
import { type Asker, groupCommit } from './groupCommit.ts';
import { BROKER_LIMITS, type BrokerLimits } from './limits.ts';
import { serveConnection } from './serveConnection.ts';
import { inodeOf, socketPath, whyNotToBind } from './socketPath.ts';

export interface Broker extends AsyncDisposable {
  readonly socket: string;
  /** The same way in, for the process that serves: it waits its turn like all clients. */
  readonly transport: SqliteTransport;
}

/** The file can be used all the same, by each process for itself. */
export interface NotServed {
  readonly type: 'notServed';
  readonly reason: string;
}

/**
 * Lets other processes use a database through this one. Alone, each would take the write lock when it can get it, and who
 * sleeps between tries starves; here they are served in turn.
 */
export async function serveBroker(
  direct: SqliteTransport,
  limits: BrokerLimits = BROKER_LIMITS,
): Promise<Broker | NotServed> {
  const commits = groupCommit(direct.engine());
  const connections = new Set<Socket>();
  const server = createServer((connection) => {
    connections.add(connection.unref());
    connection.on('close', () => connections.delete(connection));
    serveConnection(connection, { direct, commits, limits });
  });
  server.maxConnections = limits.connections;
  const socket = socketPath(direct.path);
  const why = whyNotToBind(socket) ?? (await listen(server, socket));
  if (why !== null) return { type: 'notServed', reason: why };
  const inode = inodeOf(socket);
  // it serves as long as its process has something else to do
  server.unref();
  const stop = async () => {
    // another broker may have taken the address over
    if (inodeOf(socket) === inode) unlinkSync(socket);
    for (const connection of connections) connection.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  const self: Asker = { queue: [], gone: false };
  const transport: SqliteTransport = {
    ...direct,
    perform: (operation, request) =>
      new Promise((resolve, reject) => {
        const reply = (outcome: object | Error) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
        commits.ask(self, { operation, request, reply });
      }),
    close: async () => {
      await stop();
      await direct.close();
    },
  };
  return { socket, transport, [Symbol.asyncDispose]: transport.close };
}

/**
 * Made in a folder that only this user can enter, then put in place: no client meets half a socket, no other user one with the
 * permissions of the umask, and a dead one is replaced. Returns why it cannot listen, or null.
 */
async function listen(server: Server, socket: string): Promise<string | null> {
  const folder = `${socket}.${process.pid}`;
  const made = join(folder, 's');
  try {
    // of a process with the same id that was killed in between
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(made, () => {
        server.off('error', reject);
        resolve();
      });
    });
    // a connection that cannot be taken, for want of files or memory, ends no process: its client finds the file itself
    server.on('error', () => {});
    chmodSync(made, 0o600);
    renameSync(made, socket);
    return null;
  } catch (error) {
    server.close();
    const { code, message } = error as NodeJS.ErrnoException;
    return `No socket can be made at ${socket} (${code ?? message}), so the store is used without one.`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
