import { connect, type Socket } from 'node:net';
import {
  encodeFrame,
  frameReader,
  isReply,
  LONGEST_REPLY,
  LONGEST_REQUEST,
  PROTOCOL,
  protocolOf,
  type ReplyFrame,
  type RequestFrame,
} from './frames.ts';
import { CHANGED } from './limits.ts';

/** The broker is gone, or does not answer: the request may or may not have been carried out. */
class BrokerGoneError extends Error {
  override readonly name = 'BrokerGoneError';
}

export interface BrokerClient {
  readonly isOpen: boolean;
  /** It was closed because no answer came, not because the server hung up. */
  readonly isMute: boolean;
  /** The server's first line named another protocol, or none (undefined). Null while it is ours. */
  readonly foreign: { readonly protocol: number | undefined } | null;
  /** Rejects with `BrokerGoneError`. */
  perform(operation: string, request: object, key?: string): Promise<object>;
  changed(withinMs: number, signal: AbortSignal | undefined): Promise<void>;
  close(): void;
}

/** A stopped process keeps its socket open; after this time the file is used directly. */
const ANSWER_WITHIN_MS = 3_000;
/** The longest wait that a server accepts; for a longer one the request is repeated. */
const LONGEST_WAIT_MS = 600_000;

type Sent = Omit<RequestFrame, 'id'>;

interface Waiting {
  readonly resolve: (outcome: object) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** Undefined when no process serves there. */
export async function connectBroker(socket: string): Promise<BrokerClient | undefined> {
  const connection = connect(socket);
  const connected = await new Promise<boolean>((resolve) => {
    connection.once('connect', () => resolve(true));
    connection.once('error', () => resolve(false));
  });
  return connected ? clientOver(connection) : undefined;
}

const gone = () => new BrokerGoneError('The process that served the store is gone.');

function clientOver(connection: Socket): BrokerClient {
  const waiting = waitingRequests(connection);
  let isMute = false;
  let hasGreeted = false;
  let foreign: BrokerClient['foreign'] = null;
  const hangUp = () => {
    connection.destroy();
    waiting.rejectAll();
    connection.unref();
  };
  const giveUp = () => {
    isMute = true;
    hangUp();
  };
  const receive = (frame: unknown) => {
    // further lines of the chunk that closed the connection
    if (connection.destroyed) return;
    if (hasGreeted) return isReply(frame) ? waiting.settle(frame) : hangUp();
    hasGreeted = protocolOf(frame) === PROTOCOL;
    if (hasGreeted) return;
    foreign = { protocol: protocolOf(frame) };
    hangUp();
  };
  const reader = frameReader({ longest: LONGEST_REPLY, onFrame: receive, onNonsense: hangUp });
  connection.setEncoding('utf8');
  connection.on('data', reader.read);
  connection.on('error', hangUp);
  connection.on('close', hangUp);
  // sent with the first request, so it costs no round trip
  connection.write(encodeFrame({ stopgate: PROTOCOL }));
  // an idle connection keeps no process alive
  connection.unref();
  const send = (sent: Sent, answerWithinMs: number) => waiting.send(sent, () => setTimeout(giveUp, answerWithinMs));
  return {
    get isOpen() {
      return !connection.destroyed;
    },
    get isMute() {
      return isMute;
    },
    get foreign() {
      return foreign;
    },
    perform: (operation, request, key) => send({ operation, request, key }, ANSWER_WITHIN_MS).answer,
    changed: async (asLongAsMs, signal) => {
      if (signal?.aborted) return;
      const withinMs = Math.min(Math.max(0, asLongAsMs), LONGEST_WAIT_MS);
      const { id, answer } = send({ operation: CHANGED, request: { withinMs } }, withinMs + ANSWER_WITHIN_MS);
      const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
      signal?.addEventListener('abort', () => abort(), { once: true });
      await Promise.race([answer.catch(() => {}), aborted]);
      waiting.forget(id);
    },
    close: hangUp,
  };
}

/** Requests without an answer yet; while there are any, the connection keeps its process alive. */
function waitingRequests(connection: Socket) {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  const forget = (id: number) => {
    clearTimeout(waiting.get(id)?.timer);
    waiting.delete(id);
    if (waiting.size === 0) connection.unref();
  };
  return {
    forget,
    send: (sent: Sent, startTimer: () => NodeJS.Timeout) => {
      const id = ++lastId;
      const answer = new Promise<object>((resolve, reject) => {
        if (connection.destroyed) return reject(gone());
        const frame = encodeFrame({ id, ...sent });
        if (frame.length > LONGEST_REQUEST) return reject(new BrokerGoneError('The request is too long for a socket.'));
        waiting.set(id, { resolve, reject, timer: startTimer() });
        connection.ref();
        connection.write(frame);
      });
      return { id, answer };
    },
    settle: (frame: ReplyFrame) => {
      const pending = waiting.get(frame.id);
      if (!pending) return;
      forget(frame.id);
      if ('bug' in frame) pending.reject(new Error(frame.bug));
      else if ('tooLong' in frame) pending.reject(new BrokerGoneError('The answer is too long for a socket.'));
      else pending.resolve(frame.outcome);
    },
    rejectAll: () => {
      for (const { reject, timer } of waiting.values()) {
        clearTimeout(timer);
        reject(gone());
      }
      waiting.clear();
    },
  };
}
