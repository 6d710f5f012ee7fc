import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const event = (type: string, data: object = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

/** A model whose one answer arrives as the test sends it. */
export async function streamingModel() {
  const { promise: asked, resolve } = Promise.withResolvers<http.ServerResponse>();
  const server = http.createServer(async (request, response) => {
    request.resume();
    await once(request, 'end');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null };
    response.write(event('message_start', { message: { ...message, usage: { input_tokens: 9, output_tokens: 1 } } }));
    response.write(event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }));
    resolve(response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    send: async (text: string) => {
      const response = await asked;
      const piece = event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
      if (!response.write(piece)) await once(response, 'drain');
    },
    end: async () => {
      const response = await asked;
      response.write(event('content_block_stop', { index: 0 }));
      const delta = { stop_reason: 'end_turn', stop_sequence: null };
      response.end(event('message_delta', { delta, usage: { output_tokens: 9 } }) + event('message_stop'));
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
