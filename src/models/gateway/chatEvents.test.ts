import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import { resolveModel } from '../providers.ts';
import type { ConversationMessage, ModelEvent } from '../types.ts';

const chunk = (delta: object, more: object = {}) => JSON.stringify({ choices: [{ index: 0, delta, ...more }] });
const [TEXT, END] = [chunk({ role: 'assistant', content: 'hi' }), chunk({}, { finish_reason: 'stop' })];

/** What a model makes of these bytes, and what it reports. */
async function replyTo(body: string, type = 'text/event-stream') {
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': type }).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const resolved = resolveModel(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1#local`, {});
  if (resolved.type !== 'ok') throw new Error(resolved.message);
  const notices: string[] = [];
  const events: ModelEvent[] = [];
  const messages = AppendOnlyList.of<ConversationMessage>([{ role: 'user', content: 'x' }]);
  const { signal } = new AbortController();
  const onNotice = (sentence: string) => notices.push(sentence);
  for await (const event of resolved.model.stream({ system: [], messages, tools: [], signal, onNotice }))
    events.push(event);
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  return { events, notices };
}

const lines = (...data: string[]) => data.map((one) => `data: ${one}\n\n`).join('');

describe('an OpenAI-compatible server', () => {
  it.each<[name: string, body: string, notice: RegExp | undefined]>([
    ['a ping after the end', lines(TEXT, END, '{"type":"ping"}', '[DONE]'), undefined],
    ['a ping that is not JSON', lines('ping', TEXT, END).replace('data: ping', 'event: ping\ndata: ping'), undefined],
    ['comments', `: OPENROUTER PROCESSING\n\n${lines(TEXT, END)}`, undefined],
    ['an unknown event', lines(TEXT, '{"object":"chat.metrics","speed":3}', END), /event "chat\.metrics"/],
    ['usage without choices', lines(TEXT, END, '{"usage":{"prompt_tokens":3,"completion_tokens":1}}'), undefined],
    ['usage that is none', lines(TEXT, END.replace(/}$/, ',"usage":[]}')), undefined],
    ['CRLF and no end', lines(TEXT, END).replaceAll('\n', '\r\n').trimEnd(), undefined],
  ])('with %s answers all the same', async (_, body, notice) => {
    const { events, notices } = await replyTo(body);
    expect(events.filter(({ type }) => type === 'text_delta')).toEqual([{ type: 'text_delta', text: 'hi' }]);
    expect(events.at(-1)).toMatchObject({ type: 'finish', stopReason: 'end_turn' });
    expect(notices).toEqual(notice ? [expect.stringMatching(notice)] : []);
  });

  it('that does not stream answers all the same', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'Read', arguments: '{"path":"a"}' } };
    const message = { role: 'assistant', content: 'hi', tool_calls: [call] };
    const whole = { id: 'x', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
    const { events } = await replyTo(JSON.stringify(whole), 'application/json');
    const blocks = events.flatMap((event) => (event.type === 'block' ? [event.block] : []));
    expect(blocks).toMatchObject([
      { type: 'text', text: 'hi' },
      { type: 'tool_use', name: 'Read', input: { path: 'a' } },
    ]);
  });
});
