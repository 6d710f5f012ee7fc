import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** The answer to one request; everything is optional, an empty reply answers `ok`. */
export interface ServerReply {
  readonly thinking?: string;
  readonly text?: string;
  readonly tools?: readonly { readonly name: string; readonly input: unknown; readonly id?: string }[];
  /** Sent verbatim as the first tool's input: for input that is not JSON. */
  readonly rawToolInput?: string;
  readonly stop?: string;
  readonly usage?: {
    readonly in?: number;
    readonly out?: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
  /** Delay before the first byte of the answer. */
  readonly delayMs?: number;
  /** An HTTP error instead of an answer. */
  readonly error?: {
    readonly status: number;
    readonly type?: string;
    readonly message?: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** After the content: an error event in the stream instead of its end. */
  readonly streamError?: { readonly type: string; readonly message: string };
  /** After the content: `cut` drops the connection, `end` closes it without a final event, `hang` sends nothing more. */
  readonly breakOff?: 'cut' | 'end' | 'hang';
  /** How long the connection stays open after the last event of a whole reply. */
  readonly endDelayMs?: number;
  /** Sent verbatim instead of a stream. */
  readonly garbage?: string;
  /** A stream's bytes, each piece in its own packet: for events and characters that are split. */
  readonly pieces?: readonly (string | Uint8Array)[];
  /** Changes a well-formed stream before it is sent: other line endings, unknown events. */
  readonly rewrite?: (stream: string) => string;
  /** Any answer, sent verbatim. */
  readonly whole?: { readonly status?: number; readonly type: string; readonly body: string };
}

/** A Messages API request as received. */
export interface SeenRequest {
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect it freely, and no product code reads it
  readonly body: any;
  /** The body's bytes, for comparing prefixes. */
  readonly raw: string;
  readonly headers: http.IncomingHttpHeaders;
  /** Settles when the request's connection is closed or its answer is complete. */
  readonly closed: Promise<'complete' | 'broken'>;
}

export type Answer = (
  body: SeenRequest['body'],
  index: number,
  headers: http.IncomingHttpHeaders,
) => ServerReply | undefined | Promise<ServerReply>;

export interface ModelServer {
  /** Without `/v1`, as ANTHROPIC_BASE_URL has it. */
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Connections accepted so far: shows whether keep-alive is used. */
  connections(): number;
  close(): Promise<void>;
}

/** A Messages API on loopback, streamed or not: a real HTTP server with scripted answers. */
export async function startModelServer(answer: Answer = () => undefined): Promise<ModelServer> {
  const seen: SeenRequest[] = [];
  let connections = 0;
  const server = http.createServer((request, response) => {
    void serve(request, response, { answer, seen });
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    connections: () => connections,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Serving {
  readonly answer: Answer;
  readonly seen: SeenRequest[];
}

async function serve(request: http.IncomingMessage, response: http.ServerResponse, { answer, seen }: Serving) {
  const raw = await text(request);
  if (request.url?.includes('count_tokens')) return json(response, 200, { input_tokens: 10 });
  if (request.method !== 'POST' || !request.url?.startsWith('/v1/messages'))
    return json(response, 404, errorBody('not_found_error', `no such address: ${request.url}`));
  const body = JSON.parse(raw || '{}');
  const closed = new Promise<'complete' | 'broken'>((resolve) =>
    response.on('close', () => resolve(response.writableFinished ? 'complete' : 'broken')),
  );
  seen.push({ body, raw, headers: request.headers, closed });
  const index = seen.length - 1;
  const reply = (await answer(body, index, request.headers)) ?? { text: 'ok' };
  if (reply.delayMs) await delay(reply.delayMs);
  sendReply(response, reply, { model: body.model, index, stream: body.stream === true });
}

interface Sending {
  readonly model: string;
  readonly index: number;
  readonly stream: boolean;
}

/** Answers one request of the Messages API; a server of several APIs uses it too. */
export function sendReply(response: http.ServerResponse, reply: ServerReply, { model, index, stream }: Sending): void {
  const message = messageOf(reply, model, index);
  if (reply.error) {
    const { status, type = 'api_error', message: why = 'scripted', headers } = reply.error;
    json(response, status, errorBody(type, why), headers);
  } else if (reply.whole) {
    response.writeHead(reply.whole.status ?? 200, { 'content-type': reply.whole.type });
    response.end(reply.whole.body);
  } else if (!stream) {
    json(response, 200, message);
  } else {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (reply.garbage !== undefined) response.end(reply.garbage);
    else if (reply.pieces) void sendPieces(response, reply.pieces);
    else if (reply.rewrite) response.end(reply.rewrite(streamText(reply, message)));
    else sendStream(response, reply, message);
  }
}

async function sendPieces(response: http.ServerResponse, pieces: readonly (string | Uint8Array)[]): Promise<void> {
  response.socket?.setNoDelay(true);
  for (const piece of pieces) {
    await new Promise<void>((sent) => response.write(piece, () => sent()));
    await new Promise((turned) => setImmediate(turned));
  }
  response.end();
}

function streamText(reply: ServerReply, message: ReturnType<typeof messageOf>): string {
  const written: string[] = [];
  const response = { write: (chunk: string) => written.push(chunk), end: () => {} };
  sendStream(response as unknown as http.ServerResponse, { ...reply, endDelayMs: 0 }, message);
  return written.join('');
}

function sendStream(response: http.ServerResponse, reply: ServerReply, message: ReturnType<typeof messageOf>): void {
  const write = (type: string, data: object = {}) =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const { output_tokens, ...input } = message.usage;
  write('message_start', {
    message: { ...message, content: [], stop_reason: null, usage: { ...input, output_tokens: 1 } },
  });
  message.content.forEach((block, place) => {
    writeBlock(write, block, place, block.type === 'tool_use' ? reply.rawToolInput : undefined);
  });
  if (reply.streamError) write('error', { error: reply.streamError });
  else if (!reply.breakOff) {
    const delta = { stop_reason: message.stop_reason, stop_sequence: null };
    write('message_delta', { delta, usage: { output_tokens } });
    write('message_stop');
  }
  if (reply.breakOff === 'cut') setImmediate(() => response.destroy());
  else if (reply.endDelayMs) setTimeout(() => response.end(), reply.endDelayMs).unref();
  else if (reply.breakOff !== 'hang') response.end();
}

type Block =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown };

function messageOf(reply: ServerReply, model: string, index: number) {
  const content: Block[] = [];
  if (reply.thinking !== undefined)
    content.push({ type: 'thinking', thinking: reply.thinking, signature: `signature-${index}` });
  if (reply.text !== undefined) content.push({ type: 'text', text: reply.text });
  reply.tools?.forEach(({ name, input, id }, place) => {
    content.push({ type: 'tool_use', id: id ?? `toolu_${index}_${place}`, name, input });
  });
  return {
    id: `msg_${index}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: reply.stop ?? (reply.tools?.length ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: {
      input_tokens: reply.usage?.in ?? 100,
      output_tokens: reply.usage?.out ?? 20,
      cache_read_input_tokens: reply.usage?.cacheRead ?? 0,
      cache_creation_input_tokens: reply.usage?.cacheWrite ?? 0,
    },
  };
}

function writeBlock(
  write: (type: string, data: object) => void,
  block: Block,
  index: number,
  rawInput: string | undefined,
): void {
  const delta = (value: object) => write('content_block_delta', { index, delta: value });
  if (block.type === 'text') {
    write('content_block_start', { index, content_block: { type: 'text', text: '' } });
    delta({ type: 'text_delta', text: block.text });
  } else if (block.type === 'thinking') {
    write('content_block_start', { index, content_block: { type: 'thinking', thinking: '', signature: '' } });
    delta({ type: 'thinking_delta', thinking: block.thinking });
    delta({ type: 'signature_delta', signature: block.signature });
  } else {
    write('content_block_start', { index, content_block: { ...block, input: {} } });
    delta({ type: 'input_json_delta', partial_json: rawInput ?? JSON.stringify(block.input) });
  }
  write('content_block_stop', { index });
}

function json(response: http.ServerResponse, status: number, body: object, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

function errorBody(type: string, message: string) {
  return { type: 'error', error: { type, message } };
}
