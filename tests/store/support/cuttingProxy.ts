import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const DATA_ROW = 'D'.charCodeAt(0);

export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** Hangs up in the middle of the next answer: its row is still delivered, the word that this was all of it is not. */
  cutAfterNextRow(): void;
}

/** Stands between a client and a PostgreSQL, both on loopback. */
export async function cuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let armed = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let pending: Buffer = Buffer.alloc(0);
    upstream.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      for (let end = endOfFirst(pending); end > 0; end = endOfFirst(pending)) {
        const message = pending.subarray(0, end);
        pending = pending.subarray(end);
        if (!armed || message[0] !== DATA_ROW) {
          client.write(message);
          continue;
        }
        armed = false;
        client.end(message);
        upstream.destroy();
        return;
      }
    });
    client.pipe(upstream);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.end();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  // it reads the messages
  url.searchParams.set('sslmode', 'disable');
  return {
    url: url.href,
    cutAfterNextRow: () => {
      armed = true;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A message of the server is a letter, its length without the letter, and what it says; 0 while it is not whole. */
function endOfFirst(bytes: Buffer): number {
  if (bytes.length < 5) return 0;
  const end = 1 + bytes.readUInt32BE(1);
  return bytes.length >= end ? end : 0;
}
