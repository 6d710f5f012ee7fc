import { describe, expect, it } from 'vitest';
import { AppendOnlyList } from '../system/appendOnly.ts';
import { fakeClock } from '../testing/fakeClock.ts';
import { type ScriptedReply, scriptedReplies } from '../testing/scriptedReplies.ts';
import type { SpendEntry } from './ledger.ts';
import { decideRetry, maxRetries, wholeReply } from './retries.ts';
import type { ModelFailure, Usage } from './types.ts';

const overloaded: ModelFailure = { errorClass: 'overloaded', message: 'the provider is overloaded', retryable: true };

describe('the delay of decideRetry', () => {
  it.each([
    [1, 0, 500],
    [2, 0, 1_000],
    [3, 0, 2_000],
    [7, 0, 32_000],
    [50, 0, 32_000],
    [1, 1, 375],
    [7, 0.5, 28_000],
  ])('before retry %i with chance %d is %i ms', (attempt, random, delayMs) => {
    expect(decideRetry({ failure: overloaded, attempt, maxRetries: 99, random })).toEqual({ type: 'retry', delayMs });
  });

  it('is what the provider requires', () => {
    const failure = { ...overloaded, retryAfterMs: 90_000.2 };
    expect(decideRetry({ failure, attempt: 1, maxRetries: 1, random: 1 })).toEqual({ type: 'retry', delayMs: 90_001 });
  });
});

describe('decideRetry', () => {
  const facts = { failure: overloaded, attempt: 1, maxRetries: 2, random: 0 };
  it('retries what passes', () => {
    expect(decideRetry(facts)).toEqual({ type: 'retry', delayMs: 500 });
  });
  it('gives up after the last retry, and reports it', () => {
    expect(decideRetry({ ...facts, attempt: 3 })).toMatchObject({
      type: 'give-up',
      failure: { message: 'the provider is overloaded; gave up after 2 retries' },
    });
  });
  it('does not retry what does not pass', () => {
    const failure = { ...overloaded, retryable: false };
    expect(decideRetry({ ...facts, failure })).toEqual({ type: 'give-up', failure });
  });
  it('does not wait longer than ten minutes, and reports it', () => {
    const failure = { ...overloaded, retryAfterMs: 3_600_000 };
    expect(decideRetry({ ...facts, failure })).toMatchObject({
      type: 'give-up',
      failure: { message: expect.stringContaining('requires a wait of 60m') },
    });
  });
});

describe('maxRetries', () => {
  it.each([
    [{}, 10],
    [{ STOPGATE_MAX_RETRIES: '3', CLAUDE_CODE_MAX_RETRIES: '4' }, 3],
    [{ CLAUDE_CODE_MAX_RETRIES: '0' }, 0],
    [{ STOPGATE_MAX_RETRIES: '' }, 10],
  ])('of %j is %i', (env, expected) => {
    expect(maxRetries(env)).toEqual({ maxRetries: expected });
  });
  it.each(['many', '-1', '1.5'])('reports that %s is not a number', (value) => {
    const { maxRetries: used, warning } = maxRetries({ STOPGATE_MAX_RETRIES: value });
    expect(used).toBe(10);
    expect(warning).toContain(`STOPGATE_MAX_RETRIES is '${value}'`);
  });
});

function start(replies: ScriptedReply[], options: { maxRetries?: number; signal?: AbortSignal } = {}) {
  const clock = fakeClock();
  const model = scriptedReplies(replies, { clock });
  const request = {
    system: [],
    messages: AppendOnlyList.of([{ role: 'user', content: 'hi' } as const]),
    tools: [],
    signal: options.signal ?? new AbortController().signal,
  };
  const spent: { usage: Usage; estimated: boolean | undefined }[] = [];
  const ledger = { record: ({ usage, estimated }: SpendEntry) => void spent.push({ usage, estimated }) };
  const costOf = () => ({ type: 'unknown' }) as const;
  const maxRetries = options.maxRetries ?? 3;
  const done = wholeReply(model, request, { clock, random: () => 0, maxRetries, source: 'hook', ledger, costOf });
  const broken = () => spent.filter(({ estimated }) => estimated).map(({ usage }) => usage);
  return { clock, model, done, spent, broken };
}

describe('wholeReply', () => {
  it('returns what the model wrote, and records its cost once', async () => {
    const { done, model, spent } = start([{ text: 'hi' }]);
    expect(await done).toMatchObject({ type: 'ok', content: [{ type: 'text', text: 'hi' }], stopReason: 'end_turn' });
    expect(model.requests).toHaveLength(1);
    expect(spent).toMatchObject([{ estimated: false }]);
  });

  it('retries after a wait', async () => {
    const { clock, done, model } = start([{ error: { status: 529 } }, { text: 'hi' }]);
    await clock.advance(499);
    expect(model.requests).toHaveLength(1);
    await clock.advance(1);
    expect(await done).toMatchObject({ type: 'ok' });
    expect(model.requests).toHaveLength(2);
  });

  it('drops a broken reply, and records what it cost', async () => {
    const { clock, done, broken } = start([{ text: 'half', error: { status: 500 } }, { text: 'whole' }]);
    await clock.advance(500);
    expect(await done).toMatchObject({ content: [{ type: 'text', text: 'whole' }] });
    expect(broken()).toEqual([{ inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 }]);
  });

  it('waits as long as the provider requires', async () => {
    const { clock, done } = start([{ error: { status: 429, retryAfterMs: 60_000 } }, { text: 'hi' }]);
    await clock.advance(60_000);
    expect(await done).toMatchObject({ type: 'ok' });
    expect(clock.now()).toBe(60_000);
  });

  it('ends with the failure when the retries are used up', async () => {
    const { clock, done, model, spent } = start([{ error: { status: 500 }, repeat: 'forever' }], { maxRetries: 2 });
    await clock.advance(10_000);
    expect(await done).toMatchObject({ type: 'failed', failure: { status: 500 } });
    expect(spent).toEqual([]);
    expect(model.requests).toHaveLength(3);
  });

  it('does not retry after a permanent failure', async () => {
    const { done } = start([{ error: { status: 401 } }]);
    expect(await done).toMatchObject({ type: 'failed', failure: { errorClass: 'authentication_failed' } });
  });

  it('ends quietly when it is aborted while it waits', async () => {
    const controller = new AbortController();
    const { clock, done, model } = start([{ error: { status: 500 } }], { signal: controller.signal });
    await clock.advance(100);
    controller.abort();
    expect(await done).toEqual({ type: 'aborted' });
    expect(model.requests).toHaveLength(1);
    expect(clock.pending()).toBe(0);
  });
});
