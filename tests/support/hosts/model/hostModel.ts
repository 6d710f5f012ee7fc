import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { chatCompletions } from './chatCompletions.ts';
import { generateContent } from './generateContent.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';
import { type Body, json, type SeenMessage, type Wire, type WireReply } from './wire.ts';

const WIRES: readonly Wire[] = [responses, chatCompletions, generateContent, messages];

/** A request as the model got it. */
export interface HostRequest {
  readonly wire: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Body;
  /** For a title, a memory, a check for loops: not of the conversation, and not answered from the script. */
  readonly isSide: boolean;
  /** The whole conversation that it holds. */
  readonly messages: readonly SeenMessage[];
}

export interface HostModelWish {
  /** Answers request `n` of the conversation, counted from 0. */
  readonly answer: (n: number, request: HostRequest) => WireReply;
  readonly isSide: (body: Body, url: string) => boolean;
  readonly sideText?: string;
  /** A socket to listen on instead of a port on loopback. */
  readonly socket?: string;
}

export interface HostModel extends AsyncDisposable {
  /** Without `/v1`; empty when it listens on a socket. */
  readonly url: string;
  readonly requests: readonly HostRequest[];
  /** Paths that were asked for and that no model has. */
  readonly unknown: readonly string[];
}

/** A model on loopback that speaks the API of whichever agent asks it. */
export async function startHostModel(wish: HostModelWish): Promise<HostModel> {
  const requests: HostRequest[] = [];
  const unknown: string[] = [];
  const server = http.createServer((request, response) => {
    void serve(request, response, { wish, requests, unknown });
  });
  // an agent that wants a socket of another protocol falls back to HTTP
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 404 Not Found\r\n\r\n'));
  await new Promise<void>((listening) =>
    wish.socket ? server.listen(wish.socket, listening) : server.listen(0, '127.0.0.1', listening),
  );
  return {
    url: wish.socket ? '' : `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    unknown,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

interface Serving {
  readonly wish: HostModelWish;
  readonly requests: HostRequest[];
  readonly unknown: string[];
}

async function serve(request: http.IncomingMessage, response: http.ServerResponse, serving: Serving): Promise<void> {
  const raw = await text(request);
  const { url = '', method } = request;
  const [path = ''] = url.split('?');
  if (/count_?tokens$/i.test(path)) return json(response, 200, { totalTokens: 10, input_tokens: 10 });
  const wire = method === 'POST' ? WIRES.find((candidate) => candidate.serves(path)) : undefined;
  if (!wire) {
    serving.unknown.push(`${method} ${url}`);
    if (path.endsWith('/models')) return json(response, 200, { object: 'list', data: [{ id: 'standin' }], models: [] });
    return json(response, 404, { error: { code: 404, message: `no such address: ${path}`, status: 'NOT_FOUND' } });
  }
  const body = JSON.parse(raw || '{}');
  const { reply, index } = record({ url, headers: request.headers, body, wire }, serving);
  if (reply.delayMs) await delay(reply.delayMs);
  if (!reply.error) return wire.send(response, reply, { body, index, url });
  const { status, headers, body: instead } = reply.error;
  json(response, status, instead ?? wire.errorBody(reply.error), headers);
}

/** Of all models of this process: a session that another model continues must not see the id of a call twice. */
let answered = 0;

function record(
  { wire, ...request }: Pick<HostRequest, 'url' | 'headers' | 'body'> & { readonly wire: Wire },
  { wish, requests }: Serving,
): { readonly reply: WireReply; readonly index: number } {
  const isSide = wish.isSide(request.body, request.url);
  const seen = { ...request, wire: wire.name, isSide, messages: wire.view(request.body) };
  const n = requests.filter((earlier) => !earlier.isSide).length;
  requests.push(seen);
  const reply = isSide ? { text: wish.sideText ?? 'ok' } : wish.answer(n, seen);
  return { reply, index: answered++ };
}
