import { afterEach, describe, expect, it } from 'vitest';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import { type Answer, type ModelServer, startModelServer } from '../../testing/modelServer.ts';
import { resolveModel } from '../providers.ts';
import type { ConversationMessage, Model, ModelEvent, ModelRequest } from '../types.ts';

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(
  answer?: Answer,
  env: Record<string, string> = {},
): Promise<{ server: ModelServer; model: Model }> {
  const server = await startModelServer(answer);
  servers.push(server);
  const resolved = resolveModel('claude-sonnet-4-5', {
    ANTHROPIC_API_KEY: 'test-secret-key',
    ANTHROPIC_BASE_URL: server.url,
    ...env,
  });
  if (resolved.type !== 'ok') throw new Error(resolved.message);
  return { server, model: resolved.model };
}

function request(messages: ConversationMessage[], more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: ['You are a test.', 'Be short.'],
    messages: AppendOnlyList.of(messages),
    tools: TOOLS,
    signal: new AbortController().signal,
    ...more,
  };
}

const TOOLS = [
  {
    name: 'Read',
    description: 'Reads a file.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
];
const hello: ConversationMessage = { role: 'user', content: 'hello' };

async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function failureIn(events: ModelEvent[]) {
  const last = events.at(-1);
  if (last?.type !== 'failed') throw new Error(`no failure at the end of ${JSON.stringify(events)}`);
  return last.failure;
}

describe('a reply', () => {
  it('is streamed as text and ends with usage that keeps cached tokens apart', async () => {
    const { model } = await serve(() => ({
      text: 'Hi there',
      usage: { in: 7, out: 3, cacheRead: 50, cacheWrite: 11 },
    }));
    expect(await collect(model.stream(request([hello])))).toEqual([
      { type: 'start', id: 'msg_0', model: 'claude-sonnet-4-5' },
      { type: 'usage', usage: { inputTokens: 7, outputTokens: 1, cacheReadTokens: 50, cacheWriteTokens: 11 } },
      { type: 'text_delta', text: 'Hi there' },
      { type: 'block', block: { type: 'text', text: 'Hi there' } },
      {
        type: 'finish',
        stopReason: 'end_turn',
        usage: { inputTokens: 7, outputTokens: 3, cacheReadTokens: 50, cacheWriteTokens: 11 },
      },
    ]);
  });

  it('holds several tool calls', async () => {
    const tools = [
      { name: 'Read', input: { path: 'a' } },
      { name: 'Read', input: { path: 'b' } },
    ];
    const { model } = await serve(() => ({ text: 'Looking.', tools }));
    const events = await collect(model.stream(request([hello])));
    expect(events.filter((event) => event.type === 'block').slice(1)).toEqual([
      { type: 'block', block: { type: 'tool_use', id: 'toolu_0_0', name: 'Read', input: { path: 'a' } } },
      { type: 'block', block: { type: 'tool_use', id: 'toolu_0_1', name: 'Read', input: { path: 'b' } } },
    ]);
    expect(events).toContainEqual({ type: 'tool_input_delta', id: 'toolu_0_0', name: 'Read', text: '{"path":"a"}' });
    expect(events.at(-1)).toMatchObject({ type: 'finish', stopReason: 'tool_use' });
  });

  it.each([
    ['{"path": ', /not valid JSON/],
    ['["a"]', /not a JSON object/],
  ])('with tool input %s gives an empty input and the reason', async (rawToolInput, why) => {
    const { model } = await serve(() => ({ tools: [{ name: 'Read', input: {} }], rawToolInput }));
    const [block] = (await collect(model.stream(request([hello])))).filter((event) => event.type === 'block');
    expect(block?.block).toMatchObject({ type: 'tool_use', input: {}, inputError: expect.stringMatching(why) });
  });

  it('gives thinking back with its signature', async () => {
    const { server, model } = await serve((_, index) =>
      index === 0 ? { thinking: 'Hm.', text: 'Done' } : { text: 'ok' },
    );
    const blocks = (await collect(model.stream(request([hello])))).flatMap((event) =>
      event.type === 'block' ? [event.block] : [],
    );
    expect(blocks[0]).toEqual({
      type: 'thinking',
      thinking: 'Hm.',
      providerMetadata: { anthropic: { signature: 'signature-0' } },
    });
    await collect(model.stream(request([hello, { role: 'assistant', content: blocks }, hello])));
    expect(server.seen[1]?.body.messages[1].content).toEqual([
      { type: 'thinking', thinking: 'Hm.', signature: 'signature-0' },
      { type: 'text', text: 'Done' },
    ]);
  });

  it.each([
    ['max_tokens', 'max_tokens'],
    ['refusal', 'refusal'],
  ])('that stopped for %s has that stop reason', async (stop, stopReason) => {
    const { model } = await serve(() => ({ text: 'cut', stop }));
    expect((await collect(model.stream(request([hello])))).at(-1)).toMatchObject({ type: 'finish', stopReason });
  });

  it('leaves its connection for the next requests', async () => {
    const { server, model } = await serve();
    for (let i = 0; i < 6; i++) {
      // As the loop does: it leaves at the last event, without reading on.
      for await (const event of model.stream(request([hello]))) if (event.type === 'finish') break;
    }
    // Node's fetch opens a second one when the first is not back in its pool yet; never a third.
    expect(server.connections()).toBeLessThanOrEqual(2);
    expect(await Promise.all(server.seen.map(({ closed }) => closed))).toEqual(Array(6).fill('complete'));
  });
});

describe('the connection of a whole reply', () => {
  it.each([
    ['is read to its end', 20, 'complete'],
    ['that does not end is given up', 60_000, 'broken'],
  ])('%s', async (_, endDelayMs, end) => {
    const { server, model } = await serve(() => ({ text: 'Hi', endDelayMs }));
    for await (const event of model.stream(request([hello]))) if (event.type === 'finish') break;
    expect(await server.seen[0]?.closed).toBe(end);
  });
});

describe('a request', () => {
  it('carries the key, the headers and the limits', async () => {
    const { server, model } = await serve(undefined, { ANTHROPIC_CUSTOM_HEADERS: 'X-Team: red\nX-Other: a:b' });
    await collect(model.stream(request([hello], { maxOutputTokens: 123, toolChoice: 'none' })));
    const [seen] = server.seen;
    expect(seen?.headers).toMatchObject({ 'x-api-key': 'test-secret-key', 'x-team': 'red', 'x-other': 'a:b' });
    expect(seen?.body).toMatchObject({ max_tokens: 123, tool_choice: { type: 'none' }, stream: true });
    expect(seen?.body.tools).toEqual([
      { name: 'Read', description: 'Reads a file.', input_schema: TOOLS[0]?.inputSchema },
    ]);
  });

  it('sends a bearer token instead of a key when there is one', async () => {
    const { server, model } = await serve(undefined, { ANTHROPIC_AUTH_TOKEN: 'token-token' });
    await collect(model.stream(request([hello])));
    expect(server.seen[0]?.headers).toMatchObject({ authorization: 'Bearer token-token' });
    expect(server.seen[0]?.headers['x-api-key']).toBeUndefined();
  });

  it('marks the ends of the system prompt, the last request and this one, and keeps all else byte for byte', async () => {
    const { server, model } = await serve();
    let messages = AppendOnlyList.of<ConversationMessage>([hello]);
    for (let step = 0; step < 4; step++) {
      await collect(model.stream(request([], { messages })));
      messages = messages.append(
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: `a${step}`, name: 'Read', input: { path: 'x' } },
            { type: 'tool_use', id: `b${step}`, name: 'Read', input: { path: 'y' } },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: `a${step}`, tool_name: 'Read', content: 'one' }],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: `b${step}`, tool_name: 'Read', content: 'two', is_error: true },
            { type: 'text', text: 'a hook says hello' },
          ],
        },
      );
    }
    const [first, second, third, fourth] = server.seen.map(({ body }) => body);
    expect(first.system).toEqual([
      { type: 'text', text: 'You are a test.' },
      { type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral' } },
    ]);
    expect(second.messages[2].content).toEqual([
      { type: 'tool_result', tool_use_id: 'a0', content: 'one' },
      { type: 'tool_result', tool_use_id: 'b0', content: 'two', is_error: true },
      { type: 'text', text: 'a hook says hello', cache_control: { type: 'ephemeral' } },
    ]);
    for (const body of [first, second, third, fourth]) expect(marks(body)).toBeLessThanOrEqual(4);
    expect(markedMessages(fourth)).toEqual([4, 6]);
    for (const [before, after] of [
      [first, second],
      [second, third],
      [third, fourth],
    ]) {
      const prefix = JSON.stringify(withoutMarks(before)).slice(0, -1);
      const rest = { ...after, messages: after.messages.slice(0, before.messages.length) };
      expect(JSON.stringify(withoutMarks(rest)).slice(0, -1)).toBe(prefix);
      // Where the last request ended is marked again: that is where the cache holds it.
      expect(markedMessages(after)).toContain(before.messages.length - 1);
    }
  });

  it('sends images as what they are', async () => {
    const { server, model } = await serve();
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } } as const;
    await collect(
      model.stream(
        request([
          { role: 'user', content: [image, { type: 'text', text: 'what is this?' }] },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Read', input: {} }] },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 'a',
                tool_name: 'Read',
                content: [{ type: 'text', text: 'it' }, image],
              },
            ],
          },
        ]),
      ),
    );
    const { messages } = server.seen[0]?.body ?? {};
    expect(messages[0].content[0]).toEqual(image);
    expect(messages[2].content[0].content).toEqual([{ type: 'text', text: 'it' }, image]);
  });

  it('never sends an empty message', async () => {
    const { server, model } = await serve();
    const empty: ConversationMessage = { role: 'assistant', content: [{ type: 'text', text: '' }] };
    await collect(model.stream(request([hello, empty, { role: 'user', content: '' }])));
    expect(withoutMarks(server.seen[0]?.body.messages)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hello' },
          { type: 'text', text: '(no content)' },
        ],
      },
    ]);
  });
});

describe('a failure', () => {
  it.each([
    [400, 'invalid_request_error', 'bad thing', 'unknown', false],
    [400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum', 'invalid_request', false],
    [400, 'invalid_request_error', 'Your credit balance is too low', 'billing_error', false],
    [401, 'authentication_error', 'invalid x-api-key', 'authentication_failed', false],
    [404, 'not_found_error', 'model: claude-nope', 'model_not_found', false],
    [413, 'request_too_large', 'Request exceeds the maximum size', 'invalid_request', false],
    [429, 'rate_limit_error', 'slow down', 'rate_limit', true],
    [500, 'api_error', 'oops', 'server_error', true],
    [529, 'overloaded_error', 'Overloaded', 'overloaded', true],
  ])('of status %i %s “%s” is %s', async (status, type, message, errorClass, retryable) => {
    const { model } = await serve(() => ({ error: { status, type, message } }));
    const failure = failureIn(await collect(model.stream(request([hello]))));
    expect(failure).toMatchObject({ errorClass, retryable, status, message: expect.stringContaining(message) });
    expect(failure.details).toContain(type);
  });

  it('has the wait that the provider requires', async () => {
    const { model } = await serve(() => ({ error: { status: 429, headers: { 'retry-after': '17' } } }));
    expect(failureIn(await collect(model.stream(request([hello])))).retryAfterMs).toBe(17_000);
  });

  it('names the variable to check, and never shows the key', async () => {
    const { model } = await serve(() => ({ error: { status: 401, message: 'test-secret-key is not a key' } }));
    const failure = failureIn(await collect(model.stream(request([hello]))));
    expect(failure.message).toContain('check ANTHROPIC_API_KEY');
    expect(JSON.stringify(failure)).not.toContain('test-secret-key');
  });

  it('inside the stream ends the reply', async () => {
    const { model } = await serve(() => ({
      text: 'Let me',
      streamError: { type: 'overloaded_error', message: 'Overloaded' },
    }));
    const events = await collect(model.stream(request([hello])));
    expect(events).toContainEqual({ type: 'text_delta', text: 'Let me' });
    expect(failureIn(events)).toMatchObject({ errorClass: 'overloaded', retryable: true });
  });

  it.each(['cut', 'end'] as const)('of a connection that breaks (%s) may be retried', async (breakOff) => {
    const { model } = await serve(() => ({ text: 'Let me', breakOff }));
    const failure = failureIn(await collect(model.stream(request([hello]))));
    expect(failure).toMatchObject({ errorClass: 'server_error', retryable: true });
    if (breakOff === 'end') expect(failure.message).toBe('the connection closed before the reply was complete');
  });

  it.each(['', 'hello?\n\n', 'event: message_start\ndata: {"type": "mess\n\n'])(
    'of an answer that is not a reply (%j) is an event, not thrown',
    async (garbage) => {
      const { model } = await serve(() => ({ garbage }));
      expect(failureIn(await collect(model.stream(request([hello])))).errorClass).toBe('server_error');
    },
  );

  it('of a server that is not there may be retried', async () => {
    const { server, model } = await serve();
    await server.close();
    const failure = failureIn(await collect(model.stream(request([hello]))));
    expect(failure).toMatchObject({ errorClass: 'server_error', retryable: true });
    expect(failure.message).toContain('ECONNREFUSED');
  });

  it('of a silent stream is reported when the limit is over, and its connection is closed', async () => {
    const { server, model } = await serve(() => ({ text: 'Let me', breakOff: 'hang' }), {
      STOPGATE_STREAM_IDLE_MS: '1000',
    });
    const failure = failureIn(await collect(model.stream(request([hello]))));
    expect(failure).toMatchObject({ errorClass: 'server_error', retryable: true });
    expect(failure.message).toContain('sent nothing for 1s');
    expect(await server.seen[0]?.closed).toBe('broken');
  });
});

describe('an abort', () => {
  it('in the middle of a reply ends it with no last event and closes the connection', async () => {
    const { server, model } = await serve(() => ({ text: 'Let me', breakOff: 'hang' }));
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    for await (const event of model.stream(request([hello], { signal: controller.signal }))) {
      events.push(event);
      if (event.type === 'text_delta') controller.abort();
    }
    expect(events.map(({ type }) => type)).toEqual(['start', 'usage', 'text_delta']);
    expect(await server.seen[0]?.closed).toBe('broken');
  });

  it('before the answer begins ends it with no event', async () => {
    const controller = new AbortController();
    const { server, model } = await serve(() => {
      controller.abort();
      return { text: 'too late', delayMs: 5_000 };
    });
    expect(await collect(model.stream(request([hello], { signal: controller.signal })))).toEqual([]);
    expect(server.seen).toHaveLength(1);
  });

  it('before the request makes none', async () => {
    const { server, model } = await serve();
    expect(await collect(model.stream(request([hello], { signal: AbortSignal.abort() })))).toEqual([]);
    expect(server.seen).toHaveLength(0);
  });

  it('is not needed by a reader that walks away: the connection is closed all the same', async () => {
    const { server, model } = await serve(() => ({ text: 'Let me', breakOff: 'hang' }));
    for await (const event of model.stream(request([hello]))) if (event.type === 'text_delta') break;
    expect(await server.seen[0]?.closed).toBe('broken');
  });
});

// biome-ignore lint/suspicious/noExplicitAny: bodies as they came over the wire
type Body = any;

function withoutMarks(body: Body): Body {
  return JSON.parse(JSON.stringify(body, (name, value) => (name === 'cache_control' ? undefined : value)));
}

function marks(body: Body): number {
  return JSON.stringify(body).split('"cache_control"').length - 1;
}

function markedMessages(body: Body): number[] {
  return body.messages.flatMap((message: Body, place: number) => (marks(message) > 0 ? [place] : []));
}
