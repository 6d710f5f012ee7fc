import type { IncomingMessage } from 'node:http';
import type { OpenRequest } from '../../system/http/connections.ts';
import { type HttpRequest, sendRequest } from '../../system/http/sendRequest.ts';
import { Headers } from './headers.ts';
import { NodeResponse } from './nodeResponse.ts';
import { decodeBody, responseBody } from './responseBody.ts';

type Fetch = typeof globalThis.fetch;

const CONNECT_MS = 10_000;

/**
 * `fetch` for AI SDK's providers, on node:http: the built-in one takes longer to load than all of Stopgate. Sends text
 * and bytes, streams the answer, fails like the built-in one (a TypeError `fetch failed` with its cause), and follows no
 * redirect.
 */
export function nodeFetch(open: OpenRequest, { connectMs = CONNECT_MS } = {}): Fetch {
  const fetch = async (input: unknown, init: RequestInit = {}): Promise<NodeResponse> => {
    const request = requestOf(input, init);
    request.signal?.throwIfAborted();
    const response = await sendRequest(request, { open, connectMs }).catch((error: unknown) => {
      throw request.signal?.aborted
        ? request.signal.reason
        : new TypeError('fetch failed', { cause: withProxy(plainCause(error), request.url) });
    });
    refuseRedirect(response, request.url);
    return answerOf(response, request);
  };
  // AI SDK reads only what NodeResponse has.
  return fetch as unknown as Fetch;
}

function requestOf(input: unknown, { method = 'GET', headers, body, signal }: RequestInit): HttpRequest {
  const url = new URL(String(input));
  const text = body ?? undefined;
  if (text !== undefined && typeof text !== 'string' && !(text instanceof Uint8Array))
    throw new TypeError('requests to models carry text or bytes, not forms and streams');
  return {
    url,
    method,
    // Uncompressed: replies are short, and decoding would load zlib and delay single events.
    headers: { accept: '*/*', 'accept-encoding': 'identity', ...namedValues(headers) },
    body: text,
    signal: signal ?? undefined,
  };
}

function namedValues(headers: RequestInit['headers']): Record<string, string> {
  if (headers === undefined) return {};
  return Object.fromEntries(new Headers(headers as ConstructorParameters<typeof Headers>[0]));
}

/** A redirect would send the key to another server. */
function refuseRedirect(response: IncomingMessage, url: URL): void {
  const { statusCode = 0, headers } = response;
  if (headers.location === undefined || ![301, 302, 303, 307, 308].includes(statusCode)) return;
  response.destroy();
  const target = URL.canParse(headers.location, url.href) ? new URL(headers.location, url) : undefined;
  const where = target ? `${target.origin}${target.pathname}` : 'an unreadable address';
  throw new Error(
    `${url.origin}${url.pathname} redirects to ${where}, which Stopgate does not follow; set the base URL to it`,
  );
}

function answerOf(response: IncomingMessage, { url, signal }: HttpRequest): NodeResponse {
  const { statusCode = 0, statusMessage = '', headers } = response;
  const head = { url: url.href, status: statusCode, statusText: statusMessage, headers };
  return new NodeResponse(head, responseBody(decodeBody(response), signal));
}

/** A name with several addresses fails with all their errors and no message; the first one is enough. */
function plainCause(error: unknown): unknown {
  return error instanceof AggregateError && error.message === '' ? (error.errors[0] ?? error) : error;
}

/** Adds the proxy, when the failure is about another address than the request's. */
function withProxy(error: unknown, url: URL): unknown {
  if (!(error instanceof Error)) return error;
  const { address, hostname, port } = error as Error & { address?: string; hostname?: string; port?: number };
  const requested = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const isElsewhere = port === undefined ? hostname !== undefined && hostname !== url.hostname : port !== requested;
  if (!isElsewhere) return error;
  return Object.assign(error, { proxy: `${hostname ?? address ?? ''}${port === undefined ? '' : `:${port}`}` });
}
