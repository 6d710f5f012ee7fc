import { lookup } from 'node:dns/promises';
import http from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { type DomainRules, isAddressAllowed, isDomainAllowed } from './domainRules.ts';

export interface AllowProxyOptions {
  /** The unix socket that it listens on. */
  readonly socket: string;
  readonly rules: DomainRules;
  /** The user's own proxy, on this loopback port, which then decides instead of the rules. */
  readonly httpProxyPort?: number | undefined;
}

const MOST_REMEMBERED = 100;

/** An HTTP proxy for commands without a network: it connects to allowed hosts, and refuses all others. */
export async function openAllowProxy(
  options: AllowProxyOptions,
): Promise<AsyncDisposable & { readonly refused: readonly string[] }> {
  const open = new Set<Duplex>();
  const refused = new Set<string>();
  const keep = <Socket extends Duplex>(socket: Socket): Socket => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    // a peer may hang up
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const refuse = (host: string) => {
    if (refused.size < MOST_REMEMBERED) refused.add(host);
  };
  const { httpProxyPort: port } = options;
  const server =
    port === undefined
      ? filteringServer(options.rules, keep, refuse)
      : net.createServer((client) => join(client, keep(net.connect(port, '127.0.0.1'))));
  server.on('connection', keep);
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(options.socket, listening));
  // it must not keep a session alive
  server.unref();
  return {
    get refused() {
      return [...refused];
    },
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

type Keep = <Socket extends Duplex>(socket: Socket) => Socket;

function filteringServer(rules: DomainRules, keep: Keep, refuse: (host: string) => void): http.Server {
  const server = http.createServer((request, response) => {
    void forward(request, response, rules, keep).then((ended) => {
      if (ended.type === 'connected') return;
      if (ended.type === 'refused') refuse(ended.host);
      response.writeHead(statusOf(ended), { 'content-type': 'text/plain', connection: 'close' });
      response.end(`${ended.sentence}\n`);
    });
  });
  server.on('connect', (request, client: Duplex, head: Buffer) => {
    void tunnel(request.url ?? '', rules).then((ended) => {
      if (ended.type === 'connected') {
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        if (head.length > 0) ended.upstream.write(head);
        return join(client, keep(ended.upstream));
      }
      if (ended.type === 'refused') refuse(ended.host);
      const reason = statusOf(ended) === 403 ? 'Forbidden' : 'Bad Gateway';
      client.end(`HTTP/1.1 ${statusOf(ended)} ${reason}\r\ncontent-type: text/plain\r\n\r\n${ended.sentence}\n`);
    });
  });
  return server;
}

type Connection =
  | { readonly type: 'connected'; readonly upstream: net.Socket }
  | { readonly type: 'refused'; readonly host: string; readonly sentence: string }
  | { readonly type: 'failed'; readonly sentence: string };

const statusOf = ({ type }: Exclude<Connection, { type: 'connected' }>) => (type === 'refused' ? 403 : 502);

async function tunnel(target: string, rules: DomainRules): Promise<Connection> {
  const match = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(target);
  const [, host = '', port = ''] = match ?? [];
  if (!match || Number(port) > 65_535) return { type: 'failed', sentence: 'The target must be HOST:PORT.' };
  return await connect(host, Number(port), rules);
}

async function connect(host: string, port: number, rules: DomainRules): Promise<Connection> {
  const sentence = `The sandbox refuses a connection to ${host}: add it to sandbox.network.allowedDomains to allow it.`;
  if (!isDomainAllowed(host, rules)) return { type: 'refused', host, sentence };
  const name = host.replace(/^\[(.*)\]$/, '$1');
  const found = await lookup(name).catch((error: Error) => error);
  if (found instanceof Error) return { type: 'failed', sentence: `${host} has no address: ${found.message}.` };
  if (!isAddressAllowed(host, found.address, rules)) {
    return { type: 'refused', host, sentence: `The sandbox refuses ${host}: its address is this machine's own.` };
  }
  // by address: a second lookup of the name could lead elsewhere
  const upstream = net.connect(port, found.address);
  return await new Promise<Connection>((resolve) => {
    upstream.once('connect', () => resolve({ type: 'connected', upstream }));
    upstream.once('error', (error) => resolve({ type: 'failed', sentence: `${host}: ${error.message}.` }));
  });
}

/** Plain HTTP: the request line has the whole URL. */
async function forward(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  rules: DomainRules,
  keep: Keep,
): Promise<Connection> {
  const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : undefined;
  if (url?.protocol !== 'http:') return { type: 'failed', sentence: 'The target must be a whole http:// URL.' };
  const connection = await connect(url.hostname, Number(url.port || 80), rules);
  if (connection.type !== 'connected') return connection;
  const { upstream } = connection;
  keep(upstream);
  const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = request.headers;
  const passed = http.request({
    createConnection: () => upstream,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    // the host that was checked, not the one in the request
    headers: { ...headers, host: url.host, connection: 'close' },
  });
  passed.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.once('error', () => response.destroy());
  request.pipe(passed);
  return connection;
}

function join(one: Duplex, other: Duplex): void {
  one.pipe(other).pipe(one);
  one.once('close', () => other.destroy());
  other.once('close', () => one.destroy());
}
