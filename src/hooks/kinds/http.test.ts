import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { runHook, testEvent } from '../../../tests/support/testHooks.ts';
import type { HookOutcome } from '../outcome.ts';
import { httpHook } from './http.ts';
import { addressClass } from './httpRequest.ts';

interface Received {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly port: number | undefined;
}
type Answer = (received: Received, response: ServerResponse) => void;

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function serve(answer: Answer): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const one = { method: request.method, headers: request.headers, body, port: request.socket.remotePort };
      received.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

const json =
  (value: unknown, status = 200): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
const text =
  (body: string, status = 200): Answer =>
  (_, response) => {
    response.writeHead(status).end(body);
  };
const message = (outcome: HookOutcome) => (outcome.type === 'failed' ? outcome.message : outcome.type);
const placeholder = (name: string) => `\${${name}}`;

describe('an http hook', () => {
  it('posts the event and obeys the answer', async () => {
    const { url, received } = await serve(json({ decision: 'block', reason: 'server says go on' }));
    const outcome = await runHook(httpHook(), { type: 'http', url });
    expect(outcome).toMatchObject({ type: 'said', reply: { block: { by: 'decision', reason: 'server says go on' } } });
    expect(received[0]).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ hook_event_name: 'Stop', session_id: 'session-1' });
  });

  it('fills variables only where they are allowed, and strips line breaks from them', async () => {
    const { url, received } = await serve(json({}));
    const headers = {
      Authorization: `Bearer $TOKEN`,
      'X-Braced': placeholder('TOKEN'),
      'X-Other': '$HOME',
      'X-Both': '$LIMITED',
    };
    const env = { TOKEN: 'sek\r\nX-Evil: 1', HOME: '/root', LIMITED: 'no' };
    const kind = httpHook({ allowedEnvVars: ['TOKEN'] });
    const entry = { type: 'http', url, headers, allowedEnvVars: ['TOKEN', 'LIMITED'] };
    const outcome = await runHook(kind, entry, { env });
    const missing =
      '$HOME in the header X-Other (not in allowedEnvVars), $LIMITED in the header X-Both (not in allowedEnvVars)';
    expect(outcome).toMatchObject({ reply: { systemMessage: `${url}: sent without ${missing}` } });
    // reported once, not at every call
    expect(await runHook(kind, entry, { env })).not.toHaveProperty('reply.systemMessage');
    expect(received[0]?.headers).toMatchObject({
      authorization: 'Bearer sekX-Evil: 1',
      'x-braced': 'sekX-Evil: 1',
      'x-other': '',
      'x-both': '',
    });
  });

  it('names an allowed variable that is not set, beside a failure too', async () => {
    const { url } = await serve((_one, response) => void response.writeHead(401).end());
    const entry = { type: 'http', url, headers: { Authorization: 'Bearer $TOKEN' }, allowedEnvVars: ['TOKEN'] };
    expect(message(await runHook(httpHook(), entry, { env: {} }))).toMatch(
      /HTTP 401 \(.*sent without \$TOKEN in the header Authorization \(not set\)\)/,
    );
  });

  it.each([
    ['a text', `key=${placeholder('HOME')}`],
    ['a value', { key: placeholder('HOME') }],
  ])('does not send a body that lacks a variable: %s', async (_name, body) => {
    const { url, received } = await serve(json({}));
    const outcome = await runHook(httpHook(), { type: 'http', url, body }, { env: { HOME: '/root' } });
    expect(message(outcome)).toContain(`${placeholder('HOME')} in the body is not in allowedEnvVars`);
    const unset = await runHook(httpHook(), { type: 'http', url, body, allowedEnvVars: ['HOME'] }, { env: {} });
    expect(message(unset)).toContain(`${placeholder('HOME')} in the body is not set`);
    expect(received).toEqual([]);
  });

  it('fills a body template, escaped where it is JSON', async () => {
    const { url, received } = await serve(json({}));
    const event = testEvent('Stop', { last_assistant_message: 'say "hi"\n' });
    const context = { event, env: { API_KEY: 'k' }, lastText: () => 'tests passed' };
    const template = `{"text":"${placeholder('last_assistant_message')}","key":"${placeholder('API_KEY')}","no":"${placeholder('nothing')}"}`;
    const entry = { type: 'http', url, allowedEnvVars: ['API_KEY'] };
    await runHook(httpHook(), { ...entry, body: template }, context);
    await runHook(
      httpHook(),
      { ...entry, body: { all: { result: `> ${placeholder('tool_result')}`, id: placeholder('session_id') } } },
      context,
    );
    await runHook(
      httpHook(),
      { ...entry, method: 'PUT', body: `plain ${placeholder('last_assistant_message')}` },
      context,
    );
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({ text: 'say "hi"\n', key: 'k', no: '' });
    expect(JSON.parse(received[1]?.body ?? '')).toEqual({ all: { result: '> tests passed', id: 'session-1' } });
    expect(received[2]).toMatchObject({ method: 'PUT', body: 'plain say "hi"\n' });
  });

  it('keeps its connection', async () => {
    const { url, received } = await serve(json({}));
    const kind = httpHook();
    for (let n = 0; n < 3; n++) await runHook(kind, { type: 'http', url });
    expect(new Set(received.map(({ port }) => port)).size).toBe(1);
  });

  it('retries when a kept connection was closed meanwhile', async () => {
    const { url, received } = await serve((one, response) => {
      // the second request arrives on the kept connection, which dies under it; the third on a new one
      if (received.length === 2) response.socket?.destroy();
      else json({ decision: 'block', reason: String(received.length) })(one, response);
    });
    const kind = httpHook();
    await runHook(kind, { type: 'http', url });
    expect(await runHook(kind, { type: 'http', url })).toMatchObject({ reply: { block: { reason: '3' } } });
  });

  it.each<[string, Answer, RegExp]>([
    ['500, whatever its body contains', json({ decision: 'block', reason: 'no' }, 500), /^it answered HTTP 500$/],
    ['text', text('hello there'), /HTTP 200 with text that is not a JSON object/],
    ['unparsable JSON', text('{"decision": block}'), /cannot be parsed/],
    ['a wrong type', json({ decision: 5 }), /not valid: decision/],
    ['more than it reads', text('x'.repeat(2_000_000)), /longer than 1048576 bytes/],
    ['a closed connection', (_, response) => response.destroy(), /socket hang up|ECONNRESET/],
  ])('no verdict for %s', async (_, answer, expected) => {
    const { url } = await serve(answer);
    const outcome = await runHook(httpHook(), { type: 'http', url });
    expect(outcome.type).toBe('failed');
    expect(message(outcome)).toMatch(expected);
  });

  it('takes an empty 200 and 204 as an empty answer', async () => {
    for (const status of [200, 204]) {
      const { url } = await serve(text('', status));
      expect(await runHook(httpHook(), { type: 'http', url })).toMatchObject({ type: 'said', reply: { specific: {} } });
    }
  });

  it('does not follow a redirect', async () => {
    const target = await serve(json({ decision: 'block', reason: 'stolen' }));
    const { url } = await serve((_, response) => response.writeHead(307, { location: target.url }).end());
    expect(message(await runHook(httpHook(), { type: 'http', url }))).toBe(
      `it answered 307, a redirect to ${target.url}, which is not followed`,
    );
    expect(target.received).toEqual([]);
  });

  it('gives no verdict when no server listens', async () => {
    const { url } = await serve(json({}));
    for (const close of open.splice(0)) close();
    expect(message(await runHook(httpHook(), { type: 'http', url }))).toMatch(/ECONNREFUSED/);
  });

  it('ends when its time is up or the turn is aborted', async () => {
    const turn = new AbortController();
    let requests = 0;
    const { url } = await serve(() => {
      if (++requests === 2) turn.abort();
    });
    expect(await runHook(httpHook(), { type: 'http', url, timeout: 0.1 })).toMatchObject({
      type: 'failed',
      failure: 'timeout',
    });
    expect(await runHook(httpHook(), { type: 'http', url }, { signal: turn.signal })).toMatchObject({
      type: 'cancelled',
    });
  });
});

describe('what an http hook may reach', () => {
  const resolvesTo =
    (address: string): LookupFunction =>
    (_name, options, callback) => {
      const family = address.includes(':') ? 6 : 4;
      if (options.all) callback(null, [{ address, family }]);
      else callback(null, address, family);
    };

  it.each([
    '10.0.0.1',
    '169.254.169.254',
    '192.168.1.1',
    '172.16.0.9',
    'fd00:ec2::254',
    'fe80::1',
    '::ffff:10.0.0.1',
    '0.0.0.0',
  ])('refuses a name that leads to %s', async (address) => {
    const kind = httpHook({ lookup: resolvesTo(address) });
    const outcome = await runHook(kind, { type: 'http', url: 'http://innocent.example/x' });
    expect(message(outcome)).toContain(`innocent.example (${address}) is a private address`);
  });

  it.each([
    'http://169.254.169.254/latest',
    'http://10.1.2.3/',
    'http://[fd00::1]/',
    'http://0x0a000001/',
    'http://[::ffff:10.0.0.1]/',
  ])('refuses %s', async (url) => {
    const outcome = await runHook(httpHook(), { type: 'http', url });
    expect(outcome).toMatchObject({ type: 'failed', failure: 'execution' });
    expect(message(outcome)).toContain('is a private address');
  });

  it('reaches loopback by name, and private addresses where they are allowed', async () => {
    const { url } = await serve(json({ decision: 'block', reason: 'here' }));
    const named = url.replace('127.0.0.1', 'hooks.example');
    expect(await runHook(httpHook({ lookup: resolvesTo('127.0.0.1') }), { type: 'http', url: named })).toMatchObject({
      type: 'said',
    });
    // this machine by another name, and as private as any
    const anywhere = resolvesTo('0.0.0.0');
    expect(message(await runHook(httpHook({ lookup: anywhere }), { type: 'http', url: named }))).toContain(
      'private address',
    );
    const allowing = httpHook({ lookup: anywhere, allowPrivateAddresses: true });
    expect((await runHook(allowing, { type: 'http', url: named })).type).toBe('said');
  });

  it('keeps to the list of URLs', async () => {
    const { url, received } = await serve(json({}));
    expect(message(await runHook(httpHook({ allowedUrls: [] }), { type: 'http', url }))).toBe(
      `${url} is not in allowedHttpHookUrls`,
    );
    expect(received).toEqual([]);
    expect((await runHook(httpHook({ allowedUrls: ['http://127.0.0.1:*'] }), { type: 'http', url })).type).toBe('said');
  });

  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.8.8.8', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['100.64.0.1', 'private'],
    ['255.255.255.255', 'private'],
    ['64:ff9b::a00:1', 'private'],
    ['8.8.8.8', 'public'],
    ['172.32.0.1', 'public'],
    ['2606:4700::1111', 'public'],
  ])('%s is %s', (address, expected) => {
    expect(addressClass(address)).toBe(expected);
  });
});
