import { chmodSync, mkdirSync, renameSync, unlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import type { SqliteAccess } from '../access.ts';
import type { EngineOperation } from '../engine.ts';
import { encodeFrame, frameReader, type RequestFrame } from './frames.ts';
import { type Asker, type GroupCommit, groupCommit } from './groupCommit.ts';
import { inodeOf, socketPath } from './socketPath.ts';

/** Asks to be told when something changes; not an operation of the store. */
export const CHANGED = 'changed';

export interface Broker extends AsyncDisposable {
  readonly socket: string;
  /** The same way in, for the process that serves: it waits its turn like everybody. */
  readonly access: SqliteAccess;
}

/**
 * Lets other processes use a database through this one. Alone, each would take the write lock when it can get it, and who
 * sleeps between tries starves; here they are served in turn.
 */
export async function serveBroker(direct: SqliteAccess): Promise<Broker> {
  const commits = groupCommit(direct.engine());
  const connections = new Set<Socket>();
  const server = createServer((connection) => {
    connections.add(connection.unref());
    connection.on('close', () => connections.delete(connection));
    serveConnection(connection, direct, commits);
  });
  const socket = socketPath(direct.path);
  const inode = await listen(server, socket);
  // it serves as long as its process has something else to do
  server.unref();
  const stop = async () => {
    // another broker may have taken the address over
    if (inodeOf(socket) === inode) unlinkSync(socket);
    for (const connection of connections) connection.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  const self: Asker = { queue: [], gone: false };
  const access: SqliteAccess = {
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
  return { socket, access, [Symbol.asyncDispose]: access.close };
}

function serveConnection(connection: Socket, direct: SqliteAccess, commits: GroupCommit): void {
  const asker: Asker = { queue: [], gone: false };
  const gone = new AbortController();
  const hangUp = () => {
    asker.gone = true;
    gone.abort();
  };
  const send = (id: number, outcome: object | Error) => {
    if (asker.gone) return;
    connection.write(
      encodeFrame(outcome instanceof Error ? { id, bug: outcome.stack ?? outcome.message } : { id, outcome }),
    );
  };
  const receive = frameReader<RequestFrame>(({ id, operation, request }) => {
    if (operation === CHANGED) {
      const { withinMs } = request as { withinMs: number };
      void direct.changed(withinMs, gone.signal).then(() => send(id, {}));
      return;
    }
    commits.ask(asker, { operation: operation as EngineOperation, request, reply: (outcome) => send(id, outcome) });
  });
  connection.setEncoding('utf8');
  connection.on('data', receive);
  connection.on('end', hangUp);
  connection.on('close', hangUp);
  connection.on('error', hangUp);
}

/** Made under another name, closed to others, then put in place: nobody meets half a socket, and a dead one is replaced. */
async function listen(server: Server, socket: string): Promise<number | undefined> {
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  const made = `${socket}.${process.pid}`;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(made, resolve);
  });
  chmodSync(made, 0o600);
  renameSync(made, socket);
  return inodeOf(socket);
}
