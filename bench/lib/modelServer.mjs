import http from 'node:http';
import { performance } from 'node:perf_hooks';

/**
 * A minimal Messages API on loopback: it never parses a request, and records when each one arrived.
 * `answer(n)` is `{ name, input }` for a tool call or `{ text }` for the end, for the n-th request of the main
 * conversation, or a promise of it; requests without tools (titles, warm-ups) are answered and not counted.
 */
export async function startModelServer(answer) {
  const requests = [];
  const server = http.createServer((request, response) => {
    const at = performance.now();
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      if (request.method !== 'POST' || !request.url.startsWith('/v1/messages'))
        return sendJson(response, 404, NOT_FOUND);
      if (request.url.includes('count_tokens')) return sendJson(response, 200, { input_tokens: 10 });
      const body = Buffer.concat(chunks);
      const isMain = occurrences(body, '"input_schema"') > 2;
      const streamed = body.includes('"stream":true');
      const n = requests.length;
      if (isMain) requests.push({ at, bytes: body.length, body });
      if (requests.length > 1) requests.at(-2).body = undefined;
      const content = isMain ? await answer(n) : { text: 'ok' };
      if (streamed) sendEvents(response, content);
      else sendJson(response, 200, message(content));
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** When each main request arrived, and its size; only the newest keeps its body. */
    requests,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

const NOT_FOUND = { type: 'error', error: { type: 'not_found_error', message: 'not here' } };
const USAGE = { input_tokens: 100, output_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
let serial = 0;

function message(content) {
  const id = ++serial;
  const block = content.name
    ? { type: 'tool_use', id: `toolu_${id}`, name: content.name, input: content.input }
    : { type: 'text', text: content.text };
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [block],
    stop_reason: content.name ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: USAGE,
  };
}

function sendJson(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function sendEvents(response, content) {
  const whole = message(content);
  const [block] = whole.content;
  const { stop_reason } = whole;
  const isTool = block.type === 'tool_use';
  const delta = isTool
    ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
    : { type: 'text_delta', text: block.text };
  const events = [
    ['message_start', { message: { ...whole, content: [], stop_reason: null } }],
    ['content_block_start', { index: 0, content_block: isTool ? { ...block, input: {} } : { ...block, text: '' } }],
    ['content_block_delta', { index: 0, delta }],
    ['content_block_stop', { index: 0 }],
    ['message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: USAGE.output_tokens } }],
    ['message_stop', {}],
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(events.map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`).join(''));
}

function occurrences(buffer, text) {
  let count = 0;
  for (let at = buffer.indexOf(text); at >= 0 && count < 4; at = buffer.indexOf(text, at + 1)) count++;
  return count;
}
