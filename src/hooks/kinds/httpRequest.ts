import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { literalAddress } from './httpAddress.ts';

const MAX_BODY_BYTES = 1024 * 1024;

export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly location?: string;
  readonly body: string;
}

/** Rejects with a sentence when there is no whole answer. */
export type SendRequest = (request: HttpRequest) => Promise<HttpResponse>;

// Not imported: as a module node:http enumerates its exports, one of which loads undici, and node:https loads TLS.
// Most sessions have no http hook and should not pay for either.
const CLIENTS = {
  'http:': () => process.getBuiltinModule('node:http'),
  'https:': () => process.getBuiltinModule('node:https'),
} as const;

/** Requests over connections that are kept: a hook at every tool call must not pay for a handshake each time. */
export function keepAliveRequests(lookup?: LookupFunction): SendRequest {
  const agents: Partial<Record<'http:' | 'https:', Agent>> = {};
  const send = async (request: HttpRequest, again: boolean): Promise<HttpResponse> => {
    const protocol = request.url.protocol === 'https:' ? 'https:' : 'http:';
    const client = CLIENTS[protocol]();
    agents[protocol] ??= new client.Agent({ keepAlive: true, ...(lookup && { lookup }) });
    const sent = client.request(request.url, {
      agent: agents[protocol],
      method: request.method,
      headers: withLength(request),
      signal: request.signal,
      // a name behind an address literal is never resolved, so nothing to guard
      ...(lookup && literalAddress(request.url.hostname) === undefined && { lookup }),
    });
    try {
      return await answerTo(sent, request.body);
    } catch (error) {
      // the server may close a kept connection just as it is used again: that says nothing about the server
      if (again && sent.reusedSocket && isReset(error) && !request.signal.aborted) return send(request, false);
      throw error;
    }
  };
  return (request) => send(request, true);
}

function withLength({ headers, body }: HttpRequest): Readonly<Record<string, string | number>> {
  return body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) };
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

async function answerTo(sent: ClientRequest, body: string | undefined): Promise<HttpResponse> {
  const answered = Promise.withResolvers<HttpResponse>();
  sent.on('error', answered.reject);
  sent.on('response', (response) => {
    readBody(response).then(
      (text) => answered.resolve(responseOf(response, text)),
      (error: unknown) => {
        sent.destroy();
        answered.reject(error);
      },
    );
  });
  sent.end(body);
  return answered.promise;
}

function responseOf(response: IncomingMessage, body: string): HttpResponse {
  const { location } = response.headers;
  return { status: response.statusCode ?? 0, body, ...(location !== undefined && { location }) };
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error(`the answer is longer than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
