import http from 'node:http';

const event = (type, data = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const textStart = event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
const textDelta = (text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });

function start(id, bytes) {
  const usage = { input_tokens: Math.ceil(bytes / 4), output_tokens: 1 };
  const message = {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    usage,
  };
  return event('message_start', { message });
}

function end(stop_reason) {
  const delta = { stop_reason, stop_sequence: null };
  return event('message_delta', { delta, usage: { output_tokens: 20 } }) + event('message_stop');
}

const whole = (text) => textStart + textDelta(text) + event('content_block_stop', { index: 0 }) + end('end_turn');

function call(id, command) {
  const input = JSON.stringify({ command });
  const tool = { type: 'tool_use', id: `toolu_${id}`, name: 'Bash', input: {} };
  return (
    textStart +
    textDelta(`Step ${id} of the **work**.\n\nIt goes on.`) +
    event('content_block_stop', { index: 0 }) +
    event('content_block_start', { index: 1, content_block: tool }) +
    event('content_block_delta', { index: 1, delta: { type: 'input_json_delta', partial_json: input } }) +
    event('content_block_stop', { index: 1 }) +
    end('tool_use')
  );
}

/** Part of the request for a summary. */
const ASKS_FOR_SUMMARY = 'is about to be replaced by a summary';

const LINE = 'const value = compute(1234, "some text"); // and a comment\n';

/** One code block of this size, in pieces of half a line, as fast as it is read. */
async function sendLongAnswer(response, size) {
  const send = async (text) => {
    if (!response.write(textDelta(text))) await new Promise((drained) => response.once('drain', drained));
  };
  response.write(textStart);
  await send('Here it is:\n\n```js\n');
  for (let sent = 0; sent < size && !response.destroyed; sent += LINE.length) {
    await send(LINE.slice(0, 30));
    await send(LINE.slice(30));
    if (sent % (50 * LINE.length) === 0) await new Promise((turned) => setImmediate(turned));
  }
  await send('```\n');
  response.end(event('content_block_stop', { index: 0 }) + end('end_turn'));
}

/**
 * A model that floods a session. `commands`: run one after the other, then the turn ends; `answerBytes`: the size of one
 * answer. It reports as many tokens as it got, so that the session compacts its conversation.
 */
export async function startFloodModel({ commands = [], answerBytes = 0 }) {
  let calls = 0;
  let compactions = 0;
  let largest = 0;
  const server = http.createServer((request, response) => {
    let bytes = 0;
    let last = '';
    let isSummary = false;
    request.setEncoding('latin1');
    request.on('data', (chunk) => {
      bytes += chunk.length;
      isSummary ||= (last + chunk).includes(ASKS_FOR_SUMMARY);
      last = chunk.slice(-ASKS_FOR_SUMMARY.length);
    });
    request.on('end', () => {
      largest = Math.max(largest, bytes);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(start(calls + compactions, bytes));
      if (answerBytes > 0) return sendLongAnswer(response, answerBytes);
      if (isSummary) {
        compactions++;
        return response.end(whole('The work goes on.'));
      }
      if (calls >= commands.length) return response.end(whole('That was all.'));
      response.end(call(calls, commands[calls++]));
    });
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    counts: () => ({ calls, compactions, largest }),
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}
