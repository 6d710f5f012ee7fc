import { execFile } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { AppendOnlyList } from '../system/appendOnly.ts';
import { resolveModel } from './providers.ts';
import type { AssistantBlock, ConversationMessage, Model, ModelEvent } from './types.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

interface Seen {
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: each provider's own request, as it came over the wire
  readonly body: any;
}

/** Answers every request with the same server-sent events. */
async function serveEvents(events: readonly object[], ending = ''): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = http.createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = JSON.parse(Buffer.concat(pieces).toString());
    seen.push({ url: request.url ?? '', headers: request.headers, body });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end(ending);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

function resolved(name: string, env: Record<string, string>): Model {
  const answer = resolveModel(name, env);
  if (answer.type !== 'ok') throw new Error(answer.message);
  return answer.model;
}

async function send(model: Model, messages: ConversationMessage[] = []): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  const request = {
    system: ['be good'],
    messages: AppendOnlyList.of<ConversationMessage>([{ role: 'user', content: 'read a' }, ...messages]),
    tools: [
      {
        name: 'Read',
        description: 'Reads a file.',
        inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
      },
    ],
    signal: new AbortController().signal,
  };
  for await (const event of model.stream(request)) all.push(event);
  return all;
}

function blocksOf(events: ModelEvent[]): AssistantBlock[] {
  return events.flatMap((event) => (event.type === 'block' ? [event.block] : []));
}

function resultFor(id: string): ConversationMessage {
  return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, tool_name: 'Read', content: 'A' }] };
}

describe('openai', () => {
  const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [] };
  const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'Read', status: 'completed' };
  const events = [
    { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'gpt-5' } },
    { type: 'response.output_item.added', output_index: 0, item: message },
    { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'Reading.' },
    { type: 'response.output_item.done', output_index: 0, item: message },
    { type: 'response.output_item.added', output_index: 1, item: { ...call, arguments: '' } },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta: '{"path":"a"}' },
    { type: 'response.output_item.done', output_index: 1, item: { ...call, arguments: '{"path":"a"}' } },
    {
      type: 'response.completed',
      response: {
        usage: {
          input_tokens: 30,
          input_tokens_details: { cached_tokens: 10 },
          output_tokens: 9,
          output_tokens_details: { reasoning_tokens: 4 },
        },
      },
    },
  ];

  it('streams text and a tool call, keeps nothing on its side, and takes the result', async () => {
    const { url, seen } = await serveEvents(events);
    const model = resolved('gpt-5', { OPENAI_API_KEY: 'sk-testing', OPENAI_BASE_URL: `${url}/v1` });
    expect(model.id).toBe('openai/gpt-5');
    const reply = await send(model);
    expect(blocksOf(reply)).toMatchObject([
      { type: 'text', text: 'Reading.' },
      { type: 'tool_use', id: 'call_1', name: 'Read', input: { path: 'a' } },
    ]);
    expect(reply.at(-1)).toEqual({
      type: 'finish',
      stopReason: 'tool_use',
      usage: { inputTokens: 20, outputTokens: 9, cacheReadTokens: 10, cacheWriteTokens: 0 },
    });
    await send(model, [{ role: 'assistant', content: blocksOf(reply) }, resultFor('call_1')]);
    expect(seen[0]?.url).toBe('/v1/responses');
    expect(seen[0]?.headers.authorization).toBe('Bearer sk-testing');
    expect(seen[0]?.body).toMatchObject({ store: false, stream: true, tools: [{ name: 'Read', strict: false }] });
    expect(seen[1]?.body.input.at(-1)).toMatchObject({ type: 'function_call_output', call_id: 'call_1', output: 'A' });
  });
});

describe('google', () => {
  it('streams text and a tool call, and gets its thought signature back with the result', async () => {
    const candidate = (parts: object[], more: object = {}) => ({
      candidates: [{ content: { role: 'model', parts }, ...more }],
    });
    const { url, seen } = await serveEvents([
      candidate([{ text: 'Read' }]),
      candidate([{ text: 'ing.' }]),
      {
        ...candidate([{ functionCall: { name: 'Read', args: { path: 'a' } }, thoughtSignature: 'c2ln' }], {
          finishReason: 'STOP',
        }),
        usageMetadata: {
          promptTokenCount: 30,
          cachedContentTokenCount: 10,
          candidatesTokenCount: 5,
          thoughtsTokenCount: 4,
          totalTokenCount: 39,
        },
      },
    ]);
    const model = resolved('gemini-2.5-pro', { GEMINI_API_KEY: 'AIza-testing', GOOGLE_BASE_URL: url });
    const reply = await send(model);
    expect(blocksOf(reply)).toMatchObject([
      { type: 'text', text: 'Reading.' },
      { type: 'tool_use', name: 'Read', input: { path: 'a' } },
    ]);
    expect(reply.at(-1)).toEqual({
      type: 'finish',
      stopReason: 'tool_use',
      usage: { inputTokens: 20, outputTokens: 9, cacheReadTokens: 10, cacheWriteTokens: 0 },
    });
    const call = blocksOf(reply).find((block) => block.type === 'tool_use');
    await send(model, [{ role: 'assistant', content: blocksOf(reply) }, resultFor(call?.id ?? '')]);
    expect(seen[0]?.url).toBe('/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse');
    expect(JSON.stringify(seen[1]?.body.contents)).toContain('c2ln');
    expect(seen[1]?.body.contents.at(-1).parts[0].functionResponse).toMatchObject({ name: 'Read' });
  });
});

describe('openai-compatible', () => {
  const chunk = (delta: object, more: object = {}) => ({
    id: 'chat_1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'qwen',
    choices: [{ index: 0, delta, finish_reason: null, ...more }],
  });
  const events = [
    chunk({ role: 'assistant', content: 'Read' }),
    chunk({ content: 'ing.' }),
    chunk({
      tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'Read', arguments: '{"path"' } }],
    }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: ':"a"}' } }] }),
    chunk({}, { finish_reason: 'tool_calls' }),
    {
      ...chunk({}),
      choices: [],
      usage: { prompt_tokens: 30, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 10 } },
    },
  ];

  it.each([
    ['a URL', (url: string) => [`${url}/v1#qwen`, {}] as const],
    ['a name', (url: string) => ['openai-compatible/qwen', { OPENAI_COMPATIBLE_BASE_URL: `${url}/v1` }] as const],
  ])('streams text and a tool call from a server given as %s', async (_, given) => {
    const { url, seen } = await serveEvents(events, 'data: [DONE]\n\n');
    const [name, env] = given(url);
    const reply = await send(resolved(name, { ...env, OPENAI_COMPATIBLE_API_KEY: 'local-key' }));
    expect(blocksOf(reply)).toMatchObject([
      { type: 'text', text: 'Reading.' },
      { type: 'tool_use', id: 'call_1', name: 'Read', input: { path: 'a' } },
    ]);
    expect(reply.at(-1)).toEqual({
      type: 'finish',
      stopReason: 'tool_use',
      usage: { inputTokens: 20, outputTokens: 9, cacheReadTokens: 10, cacheWriteTokens: 0 },
    });
    expect(seen[0]).toMatchObject({
      url: '/v1/chat/completions',
      headers: { authorization: 'Bearer local-key' },
      body: { model: 'qwen', stream: true },
    });
  });
});

describe('resolveModel', () => {
  const env = { ANTHROPIC_API_KEY: 'kkkkkk', OPENAI_API_KEY: 'kkkkkk', GEMINI_API_KEY: 'kkkkkk' };
  it.each([
    ['claude-opus-4-5', {}, 'anthropic/claude-opus-4-5'],
    ['anthropic/claude-x', {}, 'anthropic/claude-x'],
    ['o3', {}, 'openai/o3'],
    ['openai/ft:gpt/x', {}, 'openai/ft:gpt/x'],
    ['gemini-2.5-flash', {}, 'google/gemini-2.5-flash'],
    ['opus', {}, 'anthropic/claude-opus-5-5'],
    ['sonnet', { ANTHROPIC_DEFAULT_SONNET_MODEL: 'claude-mine' }, 'anthropic/claude-mine'],
    ['haiku', {}, 'anthropic/claude-haiku-5-5'],
    ['default', {}, 'anthropic/claude-sonnet-5-5'],
    ['default', { ANTHROPIC_MODEL: 'claude-mine' }, 'anthropic/claude-mine'],
    ['default', { ANTHROPIC_MODEL: 'opus' }, 'anthropic/claude-opus-5-5'],
    ['default', { ANTHROPIC_MODEL: 'default' }, 'anthropic/claude-sonnet-5-5'],
    ['default', { ANTHROPIC_MODEL: 'openai/gpt-5' }, 'openai/gpt-5'],
  ])('takes %s with %j for %s', (name, more, id) => {
    expect(resolved(name, { ...env, ...more }).id).toBe(id);
  });

  it.each([
    ['claude-opus-4-5', {}, 'anthropic/claude-opus-4-5 needs an API key: set ANTHROPIC_API_KEY'],
    ['gpt-5', { STOPGATE_HOOK_DEPTH: '1' }, 'add "allowedEnvVars": ["OPENAI_API_KEY"] to the hook that started this'],
    ['gpt-5', { STOPGATE: '1' }, 'STOPGATE_PASS_ENV=OPENAI_API_KEY passes it'],
    ['gpt-5', {}, 'openai/gpt-5 needs an API key: set OPENAI_API_KEY'],
    ['gemini-3-pro', {}, 'set GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY'],
    ['openai-compatible/x', {}, 'set OPENAI_COMPATIBLE_BASE_URL, or write http://HOST/v1#x'],
    ['antropic/claude', env, "unknown provider 'antropic', did you mean 'anthropic'"],
    ['sonet', env, "unknown model 'sonet', did you mean 'sonnet'"],
    ['openai/', env, 'has no model name'],
    ['http://host/v1', env, 'is written http://HOST/v1#MODEL-NAME'],
    ['scripted:nowhere.json', {}, 'the script nowhere.json cannot be read'],
  ])('reports what is wrong with %s', (name, given, message) => {
    expect(resolveModel(name, given)).toEqual({ type: 'unknown', message: expect.stringContaining(message) });
  });

  it('knows how much a model takes', () => {
    expect(resolved('claude-sonnet-4-5', env).contextWindow).toBe(200_000);
    expect(resolved('claude-sonnet-4-5[1m]', env).contextWindow).toBe(1_000_000);
    expect(resolved('claude-opus-5-5', env).contextWindow).toBe(1_000_000);
    expect(resolved('http://localhost:1/v1#llama', { OPENAI_COMPATIBLE_CONTEXT_WINDOW: '8192' }).contextWindow).toBe(
      8192,
    );
  });

  it('loads no SDK before the first request', async () => {
    const script = `
      const { registerHooks } = await import('node:module');
      const loaded = [];
      registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
      const { resolveModel } = await import(${JSON.stringify(new URL('./providers.ts', import.meta.url).href)});
      resolveModel('claude-opus-4-5', { ANTHROPIC_API_KEY: 'k' });
      console.log(loaded.filter((url) => url.includes('@ai-sdk')).length, loaded.length > 5);
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout.trim()).toBe('0 true');
  });
});
