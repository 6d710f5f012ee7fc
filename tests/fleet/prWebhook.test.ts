import { createHmac } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { type ReviewProject, reviewProject } from '../support/reviewProject.ts';

const LONG_MS = 120_000;
const SECRET = 'correct-horse-battery';
const URL_OF_PR = 'https://forge.example.org/pr/7';

interface Seen {
  readonly method: string | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (response: http.ServerResponse, request: Seen) => void;

/** A real service on loopback. */
async function service(answer: Answer) {
  const seen: Seen[] = [];
  const server = http.createServer((request, response) => {
    void text(request).then((body) => {
      const one = { method: request.method, headers: request.headers, body };
      seen.push(one);
      answer(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pull-requests?tenant=hush`;
  return {
    url,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const opens: Answer = (response) => void response.writeHead(201).end(JSON.stringify({ url: URL_OF_PR }));
const env = { STOPGATE_WEBHOOK_SECRET: SECRET };
const accept = (review: ReviewProject, id: string, ...more: string[]) =>
  review.start(['review', 'accept', id, ...more], { env });

function configure(review: ReviewProject, config: object): void {
  mkdirSync(path.join(review.project.home, '.stopgate'), { recursive: true });
  writeFileSync(path.join(review.project.home, '.stopgate', 'review.json'), JSON.stringify(config));
}

describe('a pull request by a webhook', { timeout: LONG_MS }, () => {
  it('is opened by one signed request with the facts, and its URL is kept', async () => {
    await using review = await reviewProject();
    await using hook = await service(opens);
    const id = await review.finish('a feature', { feature: '' });
    const end = await accept(review, id, '--pr-webhook', hook.url).ended;
    expect([end.code, end.stdout], end.stderr).toEqual([0, `Task ${id} has a pull request: ${URL_OF_PR}.\n`]);
    expect(await review.review(id)).toMatchObject({ state: 'proposed', reason: URL_OF_PR, target: 'main' });
    const [request] = hook.seen;
    if (request === undefined) throw new Error('no request');
    expect(JSON.parse(request.body)).toMatchObject({
      ...{ taskId: id, title: 'a feature', branch: `sg/${id}/1`, target: 'main', body: 'did a feature' },
      commit: review.git('rev-parse', `sg/${id}/1`).trim(),
    });
    const { 'stopgate-signature': signature = '', 'idempotency-key': key = '' } = request.headers;
    const [, at, hash] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(signature)) ?? [];
    expect(hash).toBe(createHmac('sha256', SECRET).update(`${at}.${key}.${request.body}`).digest('hex'));
    expect(Math.abs(Date.now() / 1_000 - Number(at))).toBeLessThan(120);
    expect([request.method, request.headers['content-type']]).toEqual(['POST', 'application/json']);
    expect(JSON.stringify(request)).not.toContain(SECRET);
  });

  it.each<[string, Answer, RegExp]>([
    [
      'refuses',
      (response) => void response.writeHead(422).end(`no such branch; you sent ${SECRET}`),
      /HTTP 422: no such branch; you sent \[redacted\]/,
    ],
    [
      'answers without a URL',
      (response) => void response.end('{"id":7}'),
      /HTTP 200 without the URL of a pull request/,
    ],
    ['hangs', () => {}, /no whole answer within 1s/],
    ['hangs in its answer', (response) => void response.writeHead(200).write('{"url":'), /no whole answer within 1s/],
    ['sends without an end', (response) => flood(response), /larger than 64 kB/],
    ['closes the connection', (response) => void response.destroy(), /socket hang up|ECONNRESET/],
  ])('that %s leaves the work waiting, with the reason and without secrets', async (_what, answer, why) => {
    await using review = await reviewProject();
    await using hook = await service(answer);
    const id = await review.finish('a feature', { feature: '' });
    configure(review, { prWebhook: { url: hook.url, timeout: '1s' } });
    const end = await accept(review, id, '--pr').ended;
    expect([end.code, end.stderr]).toEqual([1, expect.stringMatching(why)]);
    expect(end.stderr).toContain(`Task ${id} still waits for review: the webhook for its pull request failed`);
    expect(`${end.stdout}${end.stderr}`).not.toMatch(/correct-horse|hush/);
    expect(await review.states(id)).toEqual(['waiting']);
    expect(hook.seen).toHaveLength(1);
  });

  it('does not follow a redirect, whose target learns nothing', async () => {
    await using review = await reviewProject();
    await using other = await service(opens);
    await using hook = await service((response) => void response.writeHead(307, { location: other.url }).end());
    const id = await review.finish('a feature', { feature: '' });
    const end = await accept(review, id, '--pr-webhook', hook.url).ended;
    expect([end.code, end.stderr]).toEqual([1, expect.stringContaining('which is not followed')]);
    expect(end.stderr).not.toContain('hush');
    expect([other.seen.length, await review.states(id)]).toEqual([0, ['waiting']]);
  });

  it('has the same key after a kill between the answer and the record, so that one is opened', async () => {
    await using review = await reviewProject();
    const opened = new Map<string, string>();
    const answered = Promise.withResolvers<void>();
    using locked = new DatabaseSync(path.join(review.project.home, 'tasks.db'));
    let isFirst = true;
    await using hook = await service((response, { headers }) => {
      const key = String(headers['idempotency-key']);
      if (!opened.has(key)) opened.set(key, `${URL_OF_PR}${opened.size}`);
      // the record has to wait for this lock, and its process is killed before
      if (isFirst) locked.exec('BEGIN IMMEDIATE');
      isFirst = false;
      response.end(JSON.stringify({ url: opened.get(key) }), () => answered.resolve());
    });
    const id = await review.finish('a feature', { feature: '' });
    await review.store.close();
    const first = accept(review, id, '--pr-webhook', hook.url);
    await answered.promise;
    first.child.kill('SIGKILL');
    await first.ended;
    locked.exec('ROLLBACK');
    expect(locked.prepare('SELECT state FROM reviews').all()).toEqual([{ state: 'waiting' }]);
    const again = await accept(review, id, '--pr-webhook', hook.url).ended;
    expect([again.code, again.stdout], again.stderr).toEqual([0, `Task ${id} has a pull request: ${URL_OF_PR}0.\n`]);
    expect([hook.seen.length, opened.size]).toEqual([2, 1]);
  });

  it('is refused with a sentence where it cannot be signed, or goes where it must not', async () => {
    await using review = await reviewProject();
    await using hook = await service(opens);
    const id = await review.finish('a feature', { feature: '' });
    const refused = async (words: string, more: readonly string[], given: Readonly<Record<string, string>> = env) => {
      const { code, stderr } = await review.start(['review', 'accept', id, ...more], { env: given }).ended;
      expect([code, stderr.trim().split('\n')]).toEqual([2, [expect.stringContaining(words)]]);
    };
    await refused('set STOPGATE_WEBHOOK_SECRET', ['--pr-webhook', hook.url], {});
    await refused('use https://', ['--pr-webhook', 'http://192.0.2.1/x']);
    await refused('must be a URL', ['--pr-webhook', 'ci']);
    await refused('user or password', ['--pr-webhook', 'https://me:word@ci.example.org']);
    await refused('Choose one of', ['--pr-webhook', hook.url, '--pr-command', 'true']);
    await refused('Nothing is configured that opens pull requests', ['--pr']);
    const file = path.join(review.project.home, 'secret');
    writeFileSync(file, `${SECRET}\n`, { mode: 0o644 });
    configure(review, { prWebhook: { url: hook.url, secretFile: '~/secret' } });
    await refused('chmod 600', ['--pr'], {});
    expect(hook.seen).toHaveLength(0);
    chmodSync(file, 0o600);
    const end = await review.start(['review', 'accept', id, '--pr', '--json']).ended;
    expect([end.code, JSON.parse(end.stdout)], end.stderr).toEqual([
      0,
      { results: [{ taskId: id, type: 'proposed', url: URL_OF_PR }] },
    ]);
  });
});

function flood(response: http.ServerResponse): void {
  response.writeHead(200);
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(10_000)));
  };
  response.on('drain', more);
  more();
}
