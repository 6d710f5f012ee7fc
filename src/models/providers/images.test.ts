import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import { resolveModel } from '../providers.ts';
import type { ConversationMessage, ImageBlock, ToolResultBlock } from '../types.ts';

const DATA = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ';
const image: ImageBlock = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } };
const result = (id: string, content: ToolResultBlock['content']): ConversationMessage => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, tool_name: 'Read', content }],
});
const CONVERSATION: readonly ConversationMessage[] = [
  { role: 'user', content: [{ type: 'text', text: 'compare' }, image] },
  {
    role: 'assistant',
    content: [
      { type: 'tool_use', id: 'a', name: 'Read', input: { path: 'a.png' } },
      { type: 'tool_use', id: 'b', name: 'Read', input: { path: 'b.txt' } },
    ],
  },
  result('a', [{ type: 'text', text: 'small' }, image]),
  result('b', 'words'),
  { role: 'user', content: 'go on' },
];

/** The body of the request that a model makes of the conversation. */
// biome-ignore lint/suspicious/noExplicitAny: each provider's own request, as it came over the wire
async function sent(name: (url: string) => string, env: (url: string) => Record<string, string>): Promise<any> {
  const body = Promise.withResolvers<string>();
  const server = http.createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    body.resolve(Buffer.concat(pieces).toString());
    response.writeHead(401).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const resolved = resolveModel(name(url), env(url));
  if (resolved.type !== 'ok') throw new Error(resolved.message);
  const { signal } = new AbortController();
  const request = { system: ['be good', 'be short'], messages: AppendOnlyList.of(CONVERSATION), tools: [], signal };
  for await (const _ of resolved.model.stream(request));
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  return JSON.parse(await body.promise);
}

describe('images', () => {
  it('are image parts of user messages on OpenAI-compatible servers, those of results after all results', async () => {
    const { messages } = await sent(
      (url) => `${url}/v1#local`,
      () => ({}),
    );
    const roles = messages.map(({ role }: { role: string }) => role);
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'user', 'user']);
    expect(messages[0].content).toBe('be good\n\nbe short');
    const part = { type: 'image_url', image_url: { url: `data:image/png;base64,${DATA}` } };
    expect(messages[1].content).toEqual([{ type: 'text', text: 'compare' }, part]);
    expect(messages[3].content).toBe('small\n[an image, shown in the next user message]');
    expect(messages[4].content).toBe('words');
    expect(messages[5].content).toEqual([{ type: 'text', text: 'The result of Read (a) is this image:' }, part]);
  });

  it('are image parts on OpenAI, in results too', async () => {
    const { input } = await sent(
      () => 'openai/gpt-5',
      (url) => ({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${url}/v1` }),
    );
    const images = JSON.stringify(input).match(/"type":"input_image","image_url":"data:image\/png;base64,/g);
    expect(images).toHaveLength(2);
  });

  it('are inline data on Google, those of results too', async () => {
    const { contents } = await sent(
      () => 'google/gemini-2.5-flash',
      (url) => ({ GEMINI_API_KEY: 'k', GOOGLE_BASE_URL: url }),
    );
    const images = JSON.stringify(contents).match(/"inlineData":\{"mimeType":"image\/png","data":"/g);
    expect(images).toHaveLength(2);
  });

  it('are image blocks on Anthropic, those of results inside them', async () => {
    const { messages } = await sent(
      () => 'claude-sonnet-4-5',
      (url) => ({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url }),
    );
    const { content } = messages[2];
    expect(content[0].content[1]).toMatchObject({ type: 'image', source: { type: 'base64', data: DATA } });
  });
});
