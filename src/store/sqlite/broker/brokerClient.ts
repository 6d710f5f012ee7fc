import { connect, type Socket } from 'node:net';
import { encodeFrame, frameReader, type ReplyFrame } from './frames.ts';
import { CHANGED } from './serveBroker.ts';

/** The broker is gone, or does not answer: what was asked may or may not have been done. */
export class BrokerGoneError extends Error {
  override readonly name = 'BrokerGoneError';
}

export interface BrokerClient {
  readonly isOpen: boolean;
  /** It was given up because no answer came, not because it hung up. */
  readonly isMute: boolean;
  /** Whether anybody is there; resolves when it is known. */
  answers(): Promise<boolean>;
  /** Rejects with `BrokerGoneError`. */
  perform(operation: string, request: object): Promise<object>;
  changed(withinMs: number, signal: AbortSignal | undefined): Promise<void>;
  close(): void;
}

/** A stopped process keeps its socket open; after this long we do without it. */
const ANSWER_WITHIN_MS = 3_000;

interface Waiting {
  readonly resolve: (outcome: object) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** Undefined when nobody serves there. */
export async function connectBroker(socket: string): Promise<BrokerClient | undefined> {
  const connection = connect(socket);
  const connected = await new Promise<boolean>((resolve) => {
    connection.once('connect', () => resolve(true));
    connection.once('error', () => resolve(false));
  });
  if (!connected) return undefined;
  return clientOver(connection);
}

function clientOver(connection: Socket): BrokerClient {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let isMute = false;
  const hangUp = () => {
    connection.destroy();
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer);
      reject(new BrokerGoneError('The process that served the store is gone.'));
    }
    waiting.clear();
    connection.unref();
  };
  const giveUp = () => {
    isMute = true;
    hangUp();
  };
  const receive = frameReader<ReplyFrame>((frame) => {
    const asked = waiting.get(frame.id);
    if (!asked) return;
    forget(frame.id);
    if ('bug' in frame) asked.reject(new Error(frame.bug));
    else asked.resolve(frame.outcome);
  });
  connection.setEncoding('utf8');
  connection.on('data', receive);
  connection.on('error', hangUp);
  connection.on('close', hangUp);
  // an idle connection keeps no process alive
  connection.unref();
  const ask = (operation: string, request: object, answerWithinMs: number) => {
    const id = ++lastId;
    const answer = new Promise<object>((resolve, reject) => {
      if (connection.destroyed) return reject(new BrokerGoneError('The process that served the store is gone.'));
      waiting.set(id, { resolve, reject, timer: setTimeout(giveUp, answerWithinMs) });
      connection.ref();
      connection.write(encodeFrame({ id, operation, request }));
    });
    return { id, answer };
  };
  const forget = (id: number) => {
    clearTimeout(waiting.get(id)?.timer);
    waiting.delete(id);
    if (waiting.size === 0) connection.unref();
  };
  return {
    get isOpen() {
      return !connection.destroyed;
    },
    get isMute() {
      return isMute;
    },
    answers: () =>
      ask(CHANGED, { withinMs: 0 }, ANSWER_WITHIN_MS).answer.then(
        () => true,
        () => false,
      ),
    perform: (operation, request) => ask(operation, request, ANSWER_WITHIN_MS).answer,
    changed: async (withinMs, signal) => {
      if (signal?.aborted) return;
      const { id, answer } = ask(CHANGED, { withinMs }, withinMs + ANSWER_WITHIN_MS);
      const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
      signal?.addEventListener('abort', () => abort(), { once: true });
      await Promise.race([answer.catch(() => {}), aborted]);
      forget(id);
    },
    close: hangUp,
  };
}
