import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { resolveModel } from '../providers.ts';
import type { Model } from '../types.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

type Answers = Readonly<Record<string, unknown>>;

/** A server that knows these addresses and nothing else; `undefined` never answers. */
async function serve(answers: Answers): Promise<{ url: string; requests: string[]; keys: Set<string | undefined> }> {
  const requests: string[] = [];
  const keys = new Set<string | undefined>();
  const server = http.createServer((request, response) => {
    const address = `${request.method} ${request.url}`;
    requests.push(address);
    keys.add(request.headers.authorization);
    if (!(address in answers)) return void response.writeHead(404).end('{"error":"no"}');
    const answer = answers[address];
    if (answer === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, keys };
}

function modelAt(url: string, env: Record<string, string> = {}): Model {
  const resolved = resolveModel(`${url}/v1#qwen`, env);
  if (resolved.type !== 'ok') throw new Error(resolved.message);
  return resolved.model;
}

const signal = () => new AbortController().signal;

describe('the window of a model behind an OpenAI-compatible server', () => {
  it.each<[string, Answers, number]>([
    ['vLLM', { 'GET /v1/models': { data: [{ id: 'qwen', max_model_len: 32_768 }] } }, 32_768],
    [
      'OpenRouter',
      {
        'GET /v1/models': {
          data: [
            { id: 'x', context_length: 1 },
            { id: 'qwen', context_length: 9_000 },
          ],
        },
      },
      9_000,
    ],
    ['Groq', { 'GET /v1/models': { data: [{ id: 'qwen', context_window: 8_192 }] } }, 8_192],
    ['a list of one other name', { 'GET /v1/models': { data: [{ id: '/models/qwen.gguf', n_ctx: 4_096 }] } }, 4_096],
    [
      'LM Studio',
      {
        'GET /v1/models': { data: [{ id: 'qwen' }] },
        'GET /api/v0/models/qwen': { loaded_context_length: 4_096, max_context_length: 99_999 },
      },
      4_096,
    ],
    [
      'llama.cpp',
      {
        'GET /v1/models': { data: [{ id: 'qwen', meta: { n_ctx_train: 99_999 } }] },
        'GET /props': { default_generation_settings: { n_ctx: 16_384 } },
      },
      16_384,
    ],
    [
      'Ollama, loaded',
      {
        'GET /v1/models': { data: [{ id: 'qwen:latest' }, { id: 'b' }] },
        'GET /api/ps': { models: [{ name: 'qwen:latest', context_length: 8_192 }] },
        'POST /api/show': { model_info: { 'qwen.context_length': 99_999 } },
      },
      8_192,
    ],
    [
      'Ollama, with num_ctx',
      { 'POST /api/show': { parameters: 'stop "x"\nnum_ctx    12288', model_info: {} } },
      12_288,
    ],
    ['Ollama, by default', { 'POST /api/show': { model_info: { 'qwen.context_length': 99_999 } } }, 4_096],
  ])('%s reports it', async (_name, answers, tokens) => {
    const { url } = await serve(answers);
    const model = modelAt(url);
    expect(await model.learnWindow?.(signal())).toBeUndefined();
    expect(model.contextWindow).toBe(tokens);
    expect(model.learnWindow).toBeUndefined();
  });

  it.each<[string, Answers]>([
    ['knows no such address', {}],
    ['answers nonsense', { 'GET /v1/models': 'not JSON', 'GET /props': [], 'GET /api/ps': { models: 3 } }],
    [
      'has figures that are none',
      { 'GET /v1/models': { data: [{ id: 'qwen', max_model_len: -1, context_length: '8k' }] } },
    ],
    ['never answers', { 'GET /v1/models': undefined }],
  ])('a server that %s leaves the guess, in a sentence', { timeout: 10_000 }, async (_name, answers) => {
    const { url } = await serve(answers);
    const model = modelAt(url);
    expect(await model.learnWindow?.(signal())).toMatch(
      /^The server at 127\.0\.0\.1:\d+ does not report the context window of qwen; assuming 128000 tokens\. OPENAI_COMPATIBLE_CONTEXT_WINDOW sets it\.$/,
    );
    expect(model.contextWindow).toBe(128_000);
  });

  it('sends the key to that server alone, and only until it is answered', async () => {
    const { url, requests, keys } = await serve({ 'GET /v1/models': { data: [{ id: 'qwen', max_model_len: 5 }] } });
    await modelAt(url, { OPENAI_COMPATIBLE_API_KEY: 'k' }).learnWindow?.(signal());
    expect(requests).toEqual(['GET /v1/models']);
    expect([...keys]).toEqual(['Bearer k']);
  });

  it.each<[Record<string, string>, number, boolean]>([
    [{ OPENAI_COMPATIBLE_CONTEXT_WINDOW: '5000' }, 5_000, false],
    [{ STOPGATE_CONTEXT_WINDOW: '6000', OPENAI_COMPATIBLE_CONTEXT_WINDOW: '5000' }, 6_000, false],
    [{ CLAUDE_CODE_MAX_CONTEXT_TOKENS: '7000' }, 7_000, false],
    [{ CLAUDE_CODE_AUTO_COMPACT_WINDOW: '8000' }, 8_000, true],
    [{ STOPGATE_CONTEXT_WINDOW: '8k' }, 128_000, true],
  ])('%j: %d, queries the server: %s', (env, tokens, queries) => {
    const model = modelAt('http://127.0.0.1:9', env);
    expect(model.contextWindow).toBe(tokens);
    expect(model.learnWindow !== undefined).toBe(queries);
  });

  it.each([
    ['anthropic/claude-haiku-4-5', { ANTHROPIC_API_KEY: 'k' }],
    ['openai/gpt-5', { OPENAI_API_KEY: 'k' }],
    ['google/gemini-2.5-pro', { GEMINI_API_KEY: 'k' }],
  ])('%s is never queried, and can be set', (name, keys) => {
    const resolved = resolveModel(name, { ...keys, STOPGATE_CONTEXT_WINDOW: '9000' });
    expect(resolved).toMatchObject({ type: 'ok', model: { contextWindow: 9_000 } });
    expect(resolved.type === 'ok' && resolved.model.learnWindow).toBeUndefined();
  });
});
