import { afterEach, describe, expect, it } from 'vitest';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import { type Answer, type ModelServer, type ServerReply, startModelServer } from '../../testing/modelServer.ts';
import { resolveModel } from '../providers.ts';
import type { ConversationMessage, Model, ModelEvent } from '../types.ts';

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(answer: Answer, name = 'claude-sonnet-5-5'): Promise<{ server: ModelServer; model: Model }> {
  const server = await startModelServer(answer);
  servers.push(server);
  const resolved = resolveModel(name, { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url });
  if (resolved.type !== 'ok') throw new Error(resolved.message);
  return { server, model: resolved.model };
}

const CONVERSATION: readonly ConversationMessage[] = [
  { role: 'user', content: 'hello' },
  { role: 'system', content: 'Today is Tuesday.' },
];

async function send(model: Model, notices: string[] = []): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  const request = {
    system: ['You are a test.'],
    messages: AppendOnlyList.of(CONVERSATION),
    tools: [{ name: 'Read', description: 'Reads.', inputSchema: { type: 'object' } }],
    signal: new AbortController().signal,
    onNotice: (sentence: string) => notices.push(sentence),
  };
  for await (const event of model.stream(request)) all.push(event);
  return all;
}

const refusal = (message: string, status = 400): ServerReply => ({
  error: { status, type: 'invalid_request_error', message },
});
const textOf = (events: readonly ModelEvent[]) =>
  events.map((event) => (event.type === 'text_delta' ? event.text : '')).join('');
// biome-ignore lint/suspicious/noExplicitAny: a request as it came over the wire
const hasSystem = (body: any) => body.messages.some(({ role }: { role: string }) => role === 'system');

describe('a strict gateway', () => {
  it.each<[objects: string, answer: Answer, notice: RegExp]>([
    [
      'system messages',
      (body) => (hasSystem(body) ? refusal("messages.1.role: Input should be 'user' or 'assistant'") : { text: 'ok' }),
      /does not accept system messages inside the conversation \(sent as user reminders instead\)\.$/,
    ],
    [
      'an unknown beta',
      (_, __, headers) => (headers['anthropic-beta'] ? refusal('Unknown beta header') : { text: 'ok' }),
      /does not accept system messages .* or the beta header \(left out\)\.$/,
    ],
    [
      'a field of the body',
      (body) =>
        JSON.stringify(body).includes('cache_control')
          ? refusal('system.0.cache_control: Extra inputs are not permitted')
          : { text: 'ok' },
      /does not accept the field cache_control \(left out, so prompts are not cached\)\.$/,
    ],
    [
      'something it does not name',
      (body) =>
        hasSystem(body) ? { whole: { status: 400, type: 'text/plain', body: 'Bad Request' } } : { text: 'ok' },
      /does not accept system messages/,
    ],
    [
      'all of them, one after the other',
      (body, _, headers) => {
        if (headers['anthropic-beta']) return refusal('invalid beta flag', 422);
        if (hasSystem(body)) return refusal('role system is not allowed');
        if (body.tool_choice) return refusal('tool_choice: Extra inputs are not permitted');
        if (JSON.stringify(body).includes('cache_control')) return refusal('Unknown parameter: cache_control');
        return { text: 'ok' };
      },
      /system messages .* beta header.*tool_choice.*cache_control/,
    ],
  ])('that refuses %s gets requests without it from then on', async (_, answer, notice) => {
    const { server, model } = await serve(answer);
    const notices: string[] = [];
    expect(textOf(await send(model, notices))).toBe('ok');
    const tries = server.seen.length;
    expect(textOf(await send(model, notices))).toBe('ok');
    expect(server.seen).toHaveLength(tries + 1);
    expect(notices).toEqual([expect.stringMatching(notice)]);
    expect(JSON.stringify(server.seen.at(-1)?.body)).toContain('Today is Tuesday.');
  });

  it('applies to the next model at the same address, and the notice waits for a request that can show it', async () => {
    const { server, model } = await serve((body) => (hasSystem(body) ? refusal('role system not allowed') : undefined));
    for await (const _ of model.stream({
      system: [],
      messages: AppendOnlyList.of(CONVERSATION),
      tools: [],
      signal: new AbortController().signal,
    }));
    const other = resolveModel('claude-opus-5-5', { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url });
    if (other.type !== 'ok') throw new Error(other.message);
    const notices: string[] = [];
    await send(other.model, notices);
    expect(server.seen).toHaveLength(3);
    expect(notices).toHaveLength(1);
  });

  it.each<[name: string, answer: Answer, requests: number, message: RegExp]>([
    [
      'objects to everything by name',
      () => refusal('role system and cache_control and tool_choice not allowed'),
      3,
      /not allowed/,
    ],
    ['names no cause, whatever it is sent', () => refusal('Bad Request'), 2, /Bad Request/],
    ['has another reason', () => refusal('scripted trouble'), 1, /scripted trouble/],
    ['has no such model', () => refusal('model: unknown model claude', 404), 1, /unknown model/],
  ])('that %s ends the request and nothing is remembered', async (_, answer, requests, message) => {
    const { server, model } = await serve(answer);
    const notices: string[] = [];
    const [failed] = await send(model, notices);
    expect(failed).toMatchObject({
      type: 'failed',
      failure: { message: expect.stringMatching(message), retryable: false },
    });
    expect(server.seen.length).toBeLessThanOrEqual(requests);
    expect(notices).toEqual([]);
    await send(model, notices);
    expect(hasSystem(server.seen[Math.ceil(server.seen.length / 2)]?.body)).toBe(true);
  });
});

const insertedBefore = (mark: string, added: string) => (stream: string) =>
  stream.replace(`event: ${mark}`, `${added}event: ${mark}`);
const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

describe('a stream', () => {
  it.each<[name: string, rewrite: (stream: string) => string, notice: RegExp | undefined]>([
    [
      'an unknown event',
      insertedBefore('content_block_start', event('content_hint', { x: 1 })),
      /event "content_hint"/,
    ],
    ['an unknown event first of all', (stream) => event('hello', {}) + stream, /event "hello"/],
    [
      'an unknown delta',
      insertedBefore(
        'content_block_stop',
        event('content_block_delta', { index: 0, delta: { type: 'mood_delta', mood: 'x' } }),
      ),
      /delta "mood_delta"/,
    ],
    [
      'an unknown block',
      insertedBefore(
        'content_block_start',
        event('content_block_start', { index: 7, content_block: { type: 'hologram', text: 'no' } }) +
          event('content_block_delta', { index: 7, delta: { type: 'text_delta', text: 'hidden' } }) +
          event('content_block_stop', { index: 7 }),
      ),
      /content block "hologram"/,
    ],
    [
      'pings and comments',
      insertedBefore('content_block_start', `: keep-alive\n\n${event('ping', { at: 1 })}event: ping\ndata: \n\n`),
      undefined,
    ],
    ['CRLF', (stream) => stream.replaceAll('\n', '\r\n'), undefined],
    ['no message_stop', (stream) => stream.slice(0, stream.indexOf('event: message_stop')), undefined],
    ['no blank line after its last event', (stream) => stream.trimEnd(), undefined],
    ['no usage at its start', (stream) => stream.replace(/"usage":\{"input_tokens"[^}]*\}/, '"usage":null'), undefined],
    ['no usage at its end', (stream) => stream.replace(/,"usage":\{"output_tokens":20\}/, ''), undefined],
    ['no usage anywhere', (stream) => stream.replace(/,"usage":\{[^}]*\}/g, ''), undefined],
    ['no names of events', (stream) => stream.replace(/^event: .*\n/gm, ''), undefined],
    ['[DONE] at its end', (stream) => `${stream}data: [DONE]\n\n`, undefined],
    [
      'numbers where an unknown event has text',
      insertedBefore('message_stop', 'event: metrics\ndata: 17\n\n'),
      /event "metrics"/,
    ],
  ])('with %s is a whole reply', async (_, rewrite, notice) => {
    const { server, model } = await serve(() => ({ text: 'grüße 🎉', rewrite }));
    const notices: string[] = [];
    const events = await send(model, notices);
    expect(events.at(-1)).toMatchObject({ type: 'finish', stopReason: 'end_turn' });
    expect(textOf(events)).toBe('grüße 🎉');
    expect(notices).toEqual(notice ? [expect.stringMatching(notice)] : []);
    await send(model, notices);
    expect(notices).toHaveLength(notice ? 1 : 0);
    expect(server.seen).toHaveLength(2);
  });

  it('is read byte by byte', async () => {
    const whole = await streamOf({ text: 'grüße 🎉' });
    const pieces = Array.from(Buffer.from(whole), (byte) => Uint8Array.of(byte));
    const { model } = await serve(() => ({ pieces }));
    expect(textOf(await send(model))).toBe('grüße 🎉');
  });

  it('keeps characters that end a line elsewhere', async () => {
    const text = 'a \u2028 b \u2029 c \u0085 d';
    const { model } = await serve(() => ({ text }));
    expect(textOf(await send(model))).toBe(text);
  });

  it('keeps why it stopped when usage is missing', async () => {
    const rewrite = (stream: string) => stream.replace(/,"usage":\{[^}]*\}/g, '');
    const { model } = await serve(() => ({ text: 'cut', stop: 'max_tokens', rewrite }));
    expect((await send(model)).at(-1)).toMatchObject({ type: 'finish', stopReason: 'max_tokens' });
  });

  it('with broken JSON in its content is not taken for an answer', async () => {
    const rewrite = (stream: string) => stream.replace('"text_delta","text"', '"text_delta",,"text"');
    const { model } = await serve(() => ({ text: 'hole', rewrite }));
    expect((await send(model)).at(-1)).toMatchObject({ type: 'failed', failure: { retryable: true } });
  });

  it('that a server does not stream is a reply all the same', async () => {
    const content = [
      { type: 'text', text: 'Looking.' },
      { type: 'tool_use', id: 't1', name: 'Read', input: { path: 'a' } },
    ];
    const message = {
      type: 'message',
      id: 'm',
      model: 'x',
      content,
      stop_reason: 'tool_use',
      usage: { input_tokens: 3, output_tokens: 4 },
    };
    const { model } = await serve(() => ({ whole: { type: 'application/json', body: JSON.stringify(message) } }));
    const events = await send(model);
    expect(events.flatMap((one) => (one.type === 'block' ? [one.block] : []))).toEqual(content);
    expect(events.at(-1)).toMatchObject({
      type: 'finish',
      stopReason: 'tool_use',
      usage: { inputTokens: 3, outputTokens: 4 },
    });
  });
});

/** The text of a well-formed stream. */
async function streamOf(reply: ServerReply): Promise<string> {
  const server = await startModelServer(() => reply);
  const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', body: '{"stream":true}' });
  return response.text().finally(() => server.close());
}
