import type { ClientRequest, IncomingMessage } from 'node:http';
import { formatDuration } from '../formatDuration.ts';
import type { OpenRequest } from './connections.ts';

export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface Sending {
  readonly open: OpenRequest;
  /** For name lookup, connection and handshake together; default: only the signal limits them. */
  readonly connectMs?: number;
}

/**
 * Sends a request and waits for the head of its answer; rejects with the network's error. After that an abort closes the
 * connection and fails the body. Only the signal limits how long an answer may take.
 */
export async function sendRequest(order: HttpRequest, sending: Sending): Promise<IncomingMessage> {
  while (true) {
    const request = openRequest(order, sending);
    try {
      return await headOf(request, order);
    } catch (error) {
      // A server may close a pooled connection just as it is reused. Each attempt removes one from the pool, so this ends.
      const wasClosed = request.reusedSocket && isReset(error) && !order.signal?.aborted;
      if (!wasClosed) throw error;
    }
  }
}

function openRequest({ url, method, headers, body }: HttpRequest, { open, connectMs }: Sending): ClientRequest {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const request = open(url, { method, headers: { ...headers, ...length } });
  if (connectMs !== undefined) limitConnecting(request, connectMs);
  return request;
}

function headOf(request: ClientRequest, { body, signal }: HttpRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let response: IncomingMessage | undefined;
  const stop = () => void (response ?? request).destroy(errorOf(signal?.reason));
  signal?.addEventListener('abort', stop, { once: true });
  request.once('close', () => signal?.removeEventListener('abort', stop));
  // Also catches errors of the body, which the body reports: without a listener they would end the process.
  request.on('error', reject);
  request.once('response', (head) => {
    response = head;
    resolve(head);
  });
  request.end(body);
  return promise;
}

function limitConnecting(request: ClientRequest, limitMs: number): void {
  const late = () => {
    const error = new Error(`no connection to ${request.host} within ${formatDuration(limitMs)}`);
    request.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  };
  const timer = setTimeout(late, limitMs);
  const connected = () => clearTimeout(timer);
  request.once('close', connected);
  request.once('socket', (socket) => {
    if (socket.connecting) socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected);
    else connected();
  });
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
