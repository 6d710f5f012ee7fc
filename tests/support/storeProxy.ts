import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The way between some processes and a PostgreSQL, both on loopback, which a test can cut and open again. */
export interface StoreProxy extends AsyncDisposable {
  readonly url: string;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Cuts when a client sends this, which does not arrive. */
  cutAt(text: string): Promise<void>;
  /** Keeps every connection open and passes nothing on, as a network that drops packets. */
  silence(): void;
  open(): Promise<void>;
  /** Connections now. */
  count(): number;
}

export async function storeProxy(target: string): Promise<StoreProxy> {
  const { hostname, port } = new URL(target);
  const clients = new Set<Socket>();
  const sockets = new Set<Socket>();
  let isSilent = false;
  let trap: { readonly text: string; readonly spring: () => void } | null = null;
  const make = () =>
    createServer((client) => {
      const upstream = connect(Number(port), hostname);
      clients.add(client);
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(one);
        one.on('data', (chunk) => {
          if (trap !== null && one === client && chunk.includes(trap.text)) trap.spring();
          else if (!isSilent) other.write(chunk);
        });
        one.on('error', () => other.destroy());
        one.on('close', () => {
          sockets.delete(one);
          clients.delete(one);
          other.destroy();
        });
      }
    });
  let server: Server | null = await listening(make(), 0);
  const address = (server.address() as AddressInfo).port;
  const cut = async () => {
    const before = server;
    server = null;
    for (const socket of sockets) socket.destroy();
    if (before === null) return;
    before.close();
    await once(before, 'close');
  };
  const url = new URL(target);
  url.host = `127.0.0.1:${address}`;
  return {
    url: url.href,
    cut,
    cutAt: (text) =>
      new Promise<void>((resolve) => {
        const spring = () => {
          trap = null;
          resolve(cut());
        };
        trap = { text, spring };
      }),
    silence: () => {
      isSilent = true;
    },
    open: async () => {
      // what was sent into the silence is lost, so those connections are of no use
      if (isSilent) for (const socket of sockets) socket.destroy();
      isSilent = false;
      server ??= await listening(make(), address);
    },
    count: () => clients.size,
    [Symbol.asyncDispose]: cut,
  };
}

async function listening(server: Server, port: number): Promise<Server> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
