import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { idempotencyKey, readWebhookAnswer, shownUrl, signatureOf, whyRefused } from './webhookRules.ts';

describe('whyRefused', () => {
  it.each<[string, string | null]>([
    ['https://ci.example.org/pr', null],
    ['http://127.0.0.1:8080/', null],
    ['http://127.9.9.9/', null],
    ['http://[::1]:80/', null],
    ['http://localhost:3000/x', null],
    ['http://ci.example.org/pr', 'use https://'],
    ['http://192.168.1.1/', 'use https://'],
    ['http://localhost.example.org/', 'use https://'],
    ['ftp://localhost/', 'must begin with https://'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['https://me:word@ci.example.org/', 'user or password'],
  ])('%s', (url, why) => {
    if (why === null) expect(whyRefused(new URL(url))).toBeNull();
    else expect(whyRefused(new URL(url))).toContain(why);
  });
});

describe('readWebhookAnswer', () => {
  it.each<[string, Parameters<typeof readWebhookAnswer>[0], object]>([
    ['a URL', { status: 200, body: '{"url":"https://forge/pr/7"}' }, { type: 'opened', url: 'https://forge/pr/7' }],
    [
      'created',
      { status: 201, body: '{"url":"https://forge/pr/7","more":1}' },
      { type: 'opened', url: 'https://forge/pr/7' },
    ],
    ['no URL', { status: 200, body: '{"ok":true}' }, { reason: expect.stringContaining('without the URL') }],
    [
      'a URL that is none',
      { status: 200, body: '{"url":"javascript:alert(1)"}' },
      { reason: expect.stringContaining('without the URL') },
    ],
    ['no JSON', { status: 200, body: 'created' }, { reason: expect.stringMatching(/without the URL.*: created$/) }],
    ['nothing', { status: 204, body: '' }, { reason: expect.stringContaining('HTTP 204 without the URL') }],
    [
      'a refusal',
      { status: 422, body: 'no\n such branch' },
      { type: 'failed', reason: 'it answered HTTP 422: no such branch' },
    ],
    ['a refusal with a URL', { status: 409, body: '{"url":"https://forge/pr/7"}' }, { type: 'failed' }],
    [
      'a redirect',
      { status: 307, location: 'https://other.example.org/x?token=1', body: '' },
      {
        type: 'failed',
        reason: 'it answered HTTP 307, a redirect to https://other.example.org/x, which is not followed',
      },
    ],
    [
      'a redirect to nowhere',
      { status: 302, body: '' },
      { reason: 'it answered HTTP 302, a redirect, which is not followed' },
    ],
  ])('%s', (_name, response, expected) => {
    expect(readWebhookAnswer(response)).toMatchObject(expected);
  });
});

it.each([
  ['where the text is cut', { status: 500, body: `${'x'.repeat(190)} correct-horse-battery` }],
  ['in the path of a redirect', { status: 302, location: 'https://x.example/correct-horse-battery', body: '' }],
  ['in the URL of the pull request', { status: 201, body: '{"url":"https://x.example/correct-horse-battery"}' }],
  ['escaped in it', { status: 201, body: '{"url":"https://x.example/\\u0063orrect-horse-battery"}' }],
])('no part of the secret is shown %s', (_name, response) => {
  const answer = readWebhookAnswer(response, 'correct-horse-battery');
  expect(answer.type).toBe('failed');
  expect(JSON.stringify(answer)).not.toMatch(/correct|corr/);
});

it('a key stays the same for the same work, and differs for any other', () => {
  const work = { taskId: 't', epoch: 1, commit: 'c', target: 'main' };
  const key = idempotencyKey(work);
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(idempotencyKey({ ...work })).toBe(key);
  const others = [{ taskId: 'u' }, { epoch: 2 }, { commit: 'd' }, { target: 'next' }];
  expect(new Set([key, ...others.map((other) => idempotencyKey({ ...work, ...other }))]).size).toBe(5);
});

it('a signature is over the time, the key and the body', () => {
  const hash = createHmac('sha256', 'word').update('12.k.{}').digest('hex');
  expect(signatureOf({ secret: 'word', at: 12, key: 'k', body: '{}' })).toBe(`t=12,v1=${hash}`);
});

it('what follows the path of a URL is not shown', () => {
  expect(shownUrl(new URL('https://ci.example.org/pr?token=abc#x'))).toBe('https://ci.example.org/pr');
});
