import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { connectionsFor, makeConnections } from '../../system/http/connections.ts';
import { nodeFetch } from './nodeFetch.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Loopback {
  readonly url: string;
  readonly port: number;
  readonly sockets: readonly Socket[];
}

async function listen(server: Server, scheme = 'http', host = '127.0.0.1'): Promise<Loopback> {
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  server.listen(0, host);
  await once(server, 'listening');
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `${scheme}://${name}:${port}`, port, sockets };
}

const serve = (answer: http.RequestListener, host?: string) => listen(http.createServer(answer), 'http', host);

/** A server that answers as the test defines. */
const serveRaw = (talk: (socket: Socket) => void) => listen(net.createServer(talk));

const fetch = nodeFetch(connectionsFor({}));

async function failureOf(promise: Promise<unknown>): Promise<Error & { cause?: Error & { code?: string } }> {
  return promise.then(
    () => expect.fail('it did not fail'),
    (error) => error,
  );
}

describe('an answer', () => {
  it('has its status, its headers and its body', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'X-Twice': ['a', 'b'] });
      response.end('grüße');
    });
    const response = await fetch(`${url}/v1`);
    expect(response).toMatchObject({ ok: true, status: 200, statusText: 'OK' });
    expect(Object.fromEntries([...response.headers])).toMatchObject({
      'content-type': 'text/plain',
      'x-twice': 'a, b',
    });
    expect(response.headers.get('Content-Type')).toBe('text/plain');
    expect(await response.text()).toBe('grüße');
  });

  it('comes piece by piece, not when it is whole', async () => {
    const next = Promise.withResolvers<void>();
    const { url } = await serve(async (_, response) => {
      response.write('one');
      await next.promise;
      response.end('two');
    });
    const { body } = await fetch(url);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader?.read()).toEqual({ done: false, value: 'one' });
    // only now does the server send more
    next.resolve();
    expect(await reader?.read()).toEqual({ done: false, value: 'two' });
    expect(await reader?.read()).toEqual({ done: true, value: undefined });
  });

  it('that is an error is an answer like any other', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(529, { 'retry-after': '7' });
      response.end('{"error":{"type":"overloaded_error"}}');
    });
    const response = await fetch(url);
    expect(response).toMatchObject({ ok: false, status: 529 });
    expect(response.headers.get('retry-after')).toBe('7');
    expect(await response.json()).toEqual({ error: { type: 'overloaded_error' } });
  });

  it('of five megabytes comes whole, and so does such a request', async () => {
    const big = 'é'.repeat(2_500_000);
    const { url } = await serve((request, response) => request.pipe(response));
    const response = await fetch(url, { method: 'POST', body: big });
    expect((await response.text()) === big).toBe(true);
  });

  it('makes the sender wait for a slow reader', async () => {
    let written = 0;
    const full = Promise.withResolvers<void>();
    const { url } = await serve(async (_, response) => {
      const piece = Buffer.alloc(1024 * 1024);
      while (written < 200 && response.write(piece)) written++;
      full.resolve();
      while (written++ < 200) if (!response.write(piece)) await once(response, 'drain').catch(() => {});
      response.end();
    });
    const { body } = await fetch(url);
    await full.promise;
    const reader = body?.getReader();
    await reader?.read();
    expect(written).toBeLessThan(100);
    await reader?.cancel();
  });

  it.each([
    ['gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['br', zlib.brotliCompressSync],
  ])('that is compressed with %s although it was not requested is read', async (coding, compress) => {
    let requested: string | undefined;
    const { url } = await serve((request, response) => {
      requested = request.headers['accept-encoding'];
      response.writeHead(200, { 'content-encoding': coding });
      response.end(compress('plain words'));
    });
    expect(await (await fetch(url)).text()).toBe('plain words');
    expect(requested).toBe('identity');
  });

  it('that is compressed still comes piece by piece', async () => {
    const next = Promise.withResolvers<void>();
    const { url } = await serve(async (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = zlib.createGzip();
      gzip.pipe(response);
      gzip.write('one');
      gzip.flush();
      await next.promise;
      gzip.end('two');
    });
    const reader = (await fetch(url)).body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('one');
    next.resolve();
    expect((await reader?.read())?.value).toBe('two');
  });

  it('in an unknown coding is refused with a message', async () => {
    const { url } = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'mystery' }).end('x'));
    expect((await failureOf(fetch(url))).message).toMatch(/coding 'mystery'/);
  });

  it('that leads elsewhere is refused with a sentence that names the place, and nothing is sent there', async () => {
    const elsewhere = await serve((_, response) => response.end('stolen'));
    const { url } = await serve((_, response) =>
      response.writeHead(308, { location: `${elsewhere.url}/v1?token=secret` }).end(),
    );
    const { message } = await failureOf(fetch(`${url}/v1`, { method: 'POST', body: '{}' }));
    expect(message).toBe(
      `${url}/v1 redirects to ${elsewhere.url}/v1, which Stopgate does not follow; set the base URL to it`,
    );
    expect(elsewhere.sockets).toHaveLength(0);
  });
});

describe('a request', () => {
  it('carries its method, headers and body', async () => {
    const { url } = await serve(async (request, response) => {
      const body = (await request.toArray()).join('');
      response.end(JSON.stringify({ method: request.method, headers: request.headers, url: request.url, body }));
    });
    const headers = { 'X-Api-Key': 'k', 'content-type': 'application/json' };
    const seen = await (await fetch(`${url}/v1/messages?beta=1`, { method: 'POST', headers, body: '{"ü":1}' })).json();
    expect(seen).toMatchObject({
      method: 'POST',
      url: '/v1/messages?beta=1',
      body: '{"ü":1}',
      headers: { 'x-api-key': 'k', 'content-type': 'application/json', 'content-length': '8', accept: '*/*' },
    });
  });

  it('with a form is refused', async () => {
    const { message } = await failureOf(fetch('http://127.0.0.1:9', { method: 'POST', body: new FormData() }));
    expect(message).toMatch(/text or bytes/);
  });

  it('with a header that cannot be sent fails without quoting its value', async () => {
    const error = await failureOf(fetch('http://127.0.0.1:9', { headers: { 'x-api-key': 'secret\nkey' } }));
    expect(`${error.message} ${error.cause?.message}`).not.toMatch(/secret/);
  });

  it.skipIf(!hasIpv6())('reaches a server that only listens on IPv6', async () => {
    const { url } = await serve((_, response) => response.end('six'), '::1');
    expect(await (await fetch(url)).text()).toBe('six');
  });

  it('reaches a server by a name', async () => {
    const { port } = await serve((_, response) => response.end('here'));
    expect(await (await fetch(`http://localhost:${port}`)).text()).toBe('here');
  });
});

describe('connections', () => {
  it('are used again: one is enough for many requests', async () => {
    const { url, sockets } = await serve((_, response) => response.end('ok'));
    for (let i = 0; i < 20; i++) expect(await (await fetch(url, { method: 'POST', body: '{}' })).text()).toBe('ok');
    expect(sockets).toHaveLength(1);
  });

  it('that the server closed in between are replaced without a word', async () => {
    const { url, sockets } = await serveRaw((socket) => {
      let requests = 0;
      socket.on('error', () => {});
      socket.on('data', () => {
        // the second request on a connection finds it reset
        if (++requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
        else socket.resetAndDestroy();
      });
    });
    for (let i = 0; i < 3; i++) expect(await (await fetch(url)).text()).toBe('ok');
    expect(sockets).toHaveLength(3);
  });

  it('are returned to the pool by short answers without a reader', async () => {
    const { url, sockets } = await serve((_, response) => response.end('short'));
    const open = makeConnections();
    const ended: Promise<unknown>[] = [];
    const watched = nodeFetch((...args) => {
      const request = open(...args);
      ended.push(once(request, 'close'));
      return request;
    });
    for (let i = 0; i < 3; i++) {
      await watched(url);
      await ended[i];
    }
    expect(sockets).toHaveLength(1);
  });

  it('are closed by a reader that cancels', async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await serve((_, response) => {
      response.on('close', closed.resolve);
      response.write('endless');
    });
    const { body } = await fetch(url);
    await body?.cancel();
    await closed.promise;
  });

  it('leave nothing behind on the signal of a request that is over', async () => {
    const { url } = await serve((_, response) => response.end('ok'));
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: unknown[]) => {
      listeners++;
      Reflect.apply(addEventListener, signal, args);
    };
    signal.removeEventListener = (...args: unknown[]) => {
      listeners--;
      Reflect.apply(removeEventListener, signal, args);
    };
    await (await fetch(url, { signal })).text();
    expect(listeners).toBe(0);
  });
});

describe('an abort', () => {
  it('before the request sends nothing', async () => {
    const { url, sockets } = await serve((_, response) => response.end());
    expect(await failureOf(fetch(url, { signal: AbortSignal.abort() }))).toMatchObject({ name: 'AbortError' });
    expect(sockets).toHaveLength(0);
  });

  it('before the answer closes the connection', async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const { url } = await serve((_, response) => {
      response.on('close', closed.resolve);
      controller.abort();
    });
    expect(await failureOf(fetch(url, { signal: controller.signal }))).toMatchObject({ name: 'AbortError' });
    await closed.promise;
  });

  it.each([{}, { 'content-encoding': 'gzip' }])(
    'within the body (%o) fails it and closes the connection',
    async (headers) => {
      const controller = new AbortController();
      const closed = Promise.withResolvers<void>();
      const { url } = await serve((_, response) => {
        response.on('close', closed.resolve);
        response.writeHead(200, headers);
        response.flushHeaders();
      });
      const response = await fetch(url, { signal: controller.signal });
      const reading = failureOf(response.text());
      controller.abort();
      expect(await reading).toMatchObject({ name: 'AbortError' });
      await closed.promise;
    },
  );

  it('with a reason of its own fails with that reason', async () => {
    const { url } = await serve(() => {});
    const reason = new DOMException('too slow', 'TimeoutError');
    expect(await failureOf(fetch(url, { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  it('after the answer is whole leaves the connection for the next request', async () => {
    const { url, sockets } = await serve((_, response) => response.end('ok'));
    for (let i = 0; i < 3; i++) {
      const controller = new AbortController();
      await (await fetch(url, { signal: controller.signal })).text();
      controller.abort();
    }
    expect(sockets).toHaveLength(1);
  });
});

describe('a connection that fails', () => {
  it('because no server listens is reported like the built-in fetch', async () => {
    const { url, port } = await serve((_, response) => response.end());
    await cleanups.splice(0).reverse()[0]?.();
    for (const place of [url, `http://localhost:${port}`]) {
      const error = await failureOf(fetch(place));
      expect(error).toBeInstanceOf(TypeError);
      expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } });
      expect(error.cause?.message).toMatch(/ECONNREFUSED/);
    }
  });

  it('because there is no such host is a failed fetch', async () => {
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND model.invalid'), { code: 'ENOTFOUND' });
    const lost = nodeFetch(makeConnections({ lookup: (_host, _options, found) => found(unknown, '') }));
    expect(await failureOf(lost('http://model.invalid/'))).toMatchObject({ message: 'fetch failed', cause: unknown });
  });

  it('before the answer is a failed fetch', async () => {
    const { url } = await serveRaw((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await failureOf(fetch(url))).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } });
  });

  it.each([
    ['reset', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\npart', true],
    ['closed politely', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\npart\r\n', false],
  ])('within the body, %s, is `terminated` with its cause, after what had come', async (_, words, reset) => {
    let peer: Socket | undefined;
    const { url } = await serveRaw((socket) => {
      peer = socket;
      socket.once('data', () => socket.write(words));
    });
    const reader = (await fetch(url)).body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('part');
    if (reset) peer?.resetAndDestroy();
    else peer?.end();
    const error = await failureOf(reader?.read() ?? Promise.resolve());
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: 'terminated', cause: { code: 'ECONNRESET' } });
  });

  it('because the other side does not speak HTTP is a failed fetch', async () => {
    const { url } = await serveRaw((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n')));
    expect(await failureOf(fetch(url))).toMatchObject({ message: 'fetch failed', cause: { code: /^HPE_/ } });
  });

  it('because the handshake takes too long is given up', async () => {
    const { port } = await serveRaw((socket) => socket.on('error', () => {}));
    const impatient = nodeFetch(makeConnections(), { connectMs: 20 });
    expect(await failureOf(impatient(`https://127.0.0.1:${port}`))).toMatchObject({
      message: 'fetch failed',
      cause: { code: 'ETIMEDOUT', message: 'no connection to 127.0.0.1 within 20ms' },
    });
  });

  it('is not mistaken for an answer that takes its time, nor for an idle connection', async () => {
    const mute = await serveRaw((socket) => socket.on('error', () => {}));
    const impatient = nodeFetch(makeConnections({ timeout: 5 }), { connectMs: 20 });
    const { url } = await serve(async (_, response) => {
      // by the time that another request was given up, this one's limit has passed as well
      await failureOf(impatient(`https://127.0.0.1:${mute.port}`));
      response.end('late');
    });
    expect(await (await impatient(url)).text()).toBe('late');
  });
});

describe('over TLS', () => {
  it('an answer comes from a server whose certificate is trusted, on one connection', async () => {
    const { key, cert } = selfSigned();
    const { url, sockets } = await listen(
      https.createServer({ key, cert }, (_, response) => response.end('safe')),
      'https',
    );
    const trusting = nodeFetch(makeConnections({ ca: cert }));
    for (let i = 0; i < 3; i++) expect(await (await trusting(url)).text()).toBe('safe');
    expect(sockets).toHaveLength(1);
  });

  it('an untrusted certificate is refused', async () => {
    const { url } = await listen(
      https.createServer(selfSigned(), (_, response) => response.end('unsafe')),
      'https',
    );
    expect(await failureOf(fetch(url))).toMatchObject({
      message: 'fetch failed',
      cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
  });
});

describe('a proxy of the environment', () => {
  it('is used for plain addresses, except those in NO_PROXY', async () => {
    const requested: string[] = [];
    const proxy = await serve((request, response) => {
      requested.push(request.url ?? '');
      response.end('by proxy');
    });
    const { url } = await serve((_, response) => response.end('direct'));
    const through = nodeFetch(connectionsFor({ HTTP_PROXY: proxy.url }));
    expect(await (await through('http://model.invalid/v1')).text()).toBe('by proxy');
    expect(requested).toEqual(['http://model.invalid/v1']);
    const around = nodeFetch(connectionsFor({ HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1' }));
    expect(await (await around(url)).text()).toBe('direct');
  });

  it('tunnels what goes over TLS', async () => {
    const { key, cert } = selfSigned();
    const { port } = await listen(
      https.createServer({ key, cert }, (_, response) => response.end('safe')),
      'https',
    );
    const requested: string[] = [];
    const tunnels = http.createServer().on('connect', (request, client: Socket) => {
      requested.push(request.url ?? '');
      const target = net.connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        client.pipe(target).pipe(client);
      });
      for (const socket of [client, target]) socket.on('error', () => {});
    });
    const proxy = await listen(tunnels);
    const through = nodeFetch(makeConnections({ ca: cert, proxyEnv: { HTTPS_PROXY: proxy.url } }));
    expect(await (await through(`https://127.0.0.1:${port}/`)).text()).toBe('safe');
    expect(requested).toEqual([`127.0.0.1:${port}`]);
  });
});

function selfSigned(): { key: string; cert: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'stopgate-tls-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', 'key.pem', '-out', 'cert.pem'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const args = ['req', '-x509', ...kind, '-nodes', '-days', '2', ...subject, ...files];
  execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  return { key: read('key.pem'), cert: read('cert.pem') };
}

function hasIpv6(): boolean {
  return Object.values(os.networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
}
