import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ServerReply } from '../../src/testing/modelServer.ts';
import { testProject } from '../support/project.ts';

const ONCE = { STOPGATE_MAX_RETRIES: '0' };
const page = (title: string) => `<!doctype html><html><head><title>${title}</title></head><body>x</body></html>`;

/** A server that does one thing with each connection; gives back its port. */
async function listening(server: net.Server): Promise<AsyncDisposable & { port: number }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

describe.concurrent('a failed request', () => {
  it.each<[name: string, reply: ServerReply, sentence: RegExp]>([
    [
      'a wrong key',
      { error: { status: 401, type: 'authentication_error', message: 'invalid x-api-key' } },
      /^The provider did not accept the key \(401: invalid x-api-key\); check ANTHROPIC_API_KEY\.$/,
    ],
    [
      'an unknown model',
      { error: { status: 404, type: 'not_found_error', message: 'model: claude-nope' } },
      /^The provider does not know this model \(404: model: claude-nope\); check the model’s name and ANTHROPIC_BASE_URL\.$/,
    ],
    [
      'an address with nothing there',
      { whole: { status: 404, type: 'text/html', body: page('404') } },
      /^The server has nothing at this address \(404: Not Found\); check ANTHROPIC_BASE_URL/,
    ],
    [
      'a web page',
      { whole: { type: 'text/html', body: page('Sign in') } },
      /^The server answered with a web page instead of a reply \("Sign in"\); check ANTHROPIC_BASE_URL/,
    ],
    [
      'a page in place of a refusal',
      { whole: { status: 403, type: 'text/html', body: page('Blocked') } },
      /^Access was refused with a web page, not by a model’s server \(403: .*\); check ANTHROPIC_BASE_URL/,
    ],
    [
      'broken JSON',
      { whole: { type: 'application/json', body: '{"id": ' } },
      /^The server answered with something that is not a reply \(.*\); check ANTHROPIC_BASE_URL/,
    ],
    [
      'a stream that is none',
      { garbage: 'hello?' },
      /^The server answered with something that is not a reply \("hello\?"\)/,
    ],
    ['an empty body', { garbage: '' }, /^The server sent an empty answer; check ANTHROPIC_BASE_URL\.$/],
    [
      'an error under a status of success',
      { whole: { type: 'application/json', body: '{"error":{"message":"no such key","code":401}}' } },
      /^The provider did not accept the key \(401: no such key\)/,
    ],
    [
      'a gateway without its server',
      { whole: { status: 502, type: 'text/html', body: page('502') } },
      /^The provider had an internal error \(502: Bad Gateway\)\.$/,
    ],
    [
      'a proxy that wants a password',
      { whole: { status: 407, type: 'text/plain', body: 'no' } },
      /^The proxy requires a user and a password \(407: .*\); write them into HTTPS_PROXY or HTTP_PROXY/,
    ],
  ])('by %s is said once, on stderr, with its cause', async (_, reply, sentence) => {
    await using project = await testProject(() => reply);
    const { code, stdout, stderr } = await project.run(['-p', 'x'], { env: ONCE });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^stopgate: [^\n]*\n$/);
    expect(stderr.slice('stopgate: '.length).trimEnd()).toMatch(sentence);
  });

  it.each<[name: string, env: Record<string, string>, sentence: RegExp]>([
    [
      'a server that is not there',
      { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' },
      /^No server is listening at that address \(connect ECONNREFUSED 127\.0\.0\.1:1\); check ANTHROPIC_BASE_URL/,
    ],
    [
      'a name that does not exist',
      { ANTHROPIC_BASE_URL: 'http://no-such-host.invalid' },
      /^The server’s name (?:is not known|could not be looked up) \(getaddrinfo \w+ no-such-host\.invalid\); check/,
    ],
    [
      'a proxy that is not there',
      { ANTHROPIC_BASE_URL: 'http://api.example.invalid', HTTP_PROXY: 'http://127.0.0.1:1' },
      /^The proxy 127\.0\.0\.1:1 could not be reached \(connect ECONNREFUSED 127\.0\.0\.1:1\); check HTTPS_PROXY/,
    ],
    [
      'a base URL that is none',
      { ANTHROPIC_BASE_URL: 'nonsense' },
      /^The base URL is not a URL \(.*\); check ANTHROPIC_BASE_URL\.$/,
    ],
  ])('by %s names what to check', async (_, env, sentence) => {
    await using project = await testProject();
    const { code, stdout, stderr } = await project.run(['-p', 'x'], { env: { ...ONCE, ...env } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^stopgate: [^\n]*\n$/);
    expect(stderr.slice('stopgate: '.length).trimEnd()).toMatch(sentence);
  });

  it('by TLS where there is none names http and https, and is not tried again', async () => {
    await using plain = await listening(http.createServer((_, response) => response.end('x')));
    await using project = await testProject();
    const env = { ANTHROPIC_BASE_URL: `https://127.0.0.1:${plain.port}` };
    const { stderr } = await project.run(['-p', 'x'], { env });
    expect(stderr).toMatch(
      /^stopgate: Could not establish a secure connection to the server \(EPROTO: wrong version number\); check ANTHROPIC_BASE_URL \(http or https\).*\n$/,
    );
  });

  it('by silence names the variable that bounds it', async () => {
    const sockets = new Set<net.Socket>();
    const server = net.createServer((socket) => sockets.add(socket.on('error', () => {})));
    await using silent = await listening(server);
    await using project = await testProject();
    const env = { ANTHROPIC_BASE_URL: `http://127.0.0.1:${silent.port}`, ...ONCE };
    const idle = await project.run(['-p', 'x'], { env: { ...env, STOPGATE_STREAM_IDLE_MS: '200' } });
    const first = await project.run(['-p', 'x'], { env: { ...env, API_TIMEOUT_MS: '300' } });
    for (const socket of sockets) socket.destroy();
    expect(idle.stderr).toBe('stopgate: The model sent nothing for 200ms (STOPGATE_STREAM_IDLE_MS sets this limit).\n');
    expect(first.stderr).toBe('stopgate: The model sent nothing for 300ms (API_TIMEOUT_MS sets this limit).\n');
  });

  it('is the result in json, and nothing is on stderr', async () => {
    await using project = await testProject(() => ({ error: { status: 401, message: 'no' } }));
    const { lines, stderr } = await project.run(['-p', 'x', '--output-format', 'json']);
    expect(lines[0].result).toBe('The provider did not accept the key (401: no); check ANTHROPIC_API_KEY.');
    expect(stderr).toBe('');
  });

  it('after an answer does not repeat that answer', async () => {
    const bash = { name: 'Bash', input: { command: 'true', description: 'x' } };
    await using project = await testProject((_, n) =>
      n === 0 ? { text: 'first I look', tools: [bash] } : { error: { status: 401, message: 'no' } },
    );
    const { stdout, stderr } = await project.run(['-p', 'x', '--allowedTools', 'Bash']);
    expect(stdout).toBe('');
    expect(stderr).toContain('The provider did not accept the key');
  });
});

describe.concurrent('a strict gateway', () => {
  const strict = (body: { messages: { role: string }[] }): ServerReply =>
    body.messages.some(({ role }) => role === 'system')
      ? { error: { status: 400, message: "messages.1.role: Input should be 'user' or 'assistant'" } }
      : { text: 'the answer' };

  it.each(['text', 'json', 'stream-json'])('is named once on stderr and answered all the same (%s)', async (format) => {
    await using project = await testProject(strict);
    const { code, stderr, stdout } = await project.run(['-p', 'x', '--output-format', format]);
    expect(code).toBe(0);
    expect(stdout).toContain('the answer');
    expect(stderr).toMatch(
      /^stopgate: The server at http:\/\/127\.0\.0\.1:\d+\/v1 does not accept system messages [^\n]*\n$/,
    );
  });
});
