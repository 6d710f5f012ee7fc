import type { Socket } from 'node:net';
import { changedRequest, requestFrame, STORE_REQUESTS } from '../../../schemas/storeRequests.ts';
import { attempt } from '../../../system/attempt.ts';
import type { SqliteTransport } from '../transport.ts';
import { differentProtocols, encodeFrame, frameReader, PROTOCOL, protocolOf, type ReplyFrame } from './frames.ts';
import type { Client, GroupCommit } from './groupCommit.ts';
import { type BrokerLimits, CHANGED } from './limits.ts';

export interface Serving {
  readonly direct: SqliteTransport;
  readonly commit: GroupCommit;
  readonly limits: BrokerLimits;
}

/**
 * Serves one client. It may be any program of this user, so nothing it sends is trusted, and the server hangs up on invalid
 * input, unfinished lines, unread answers and anything beyond the limits.
 */
export function serveConnection(connection: Socket, serving: Serving): void {
  const { limits } = serving;
  const client: Client = { queue: [], gone: false };
  const gone = new AbortController();
  const hangUp = () => {
    if (client.gone) return;
    client.gone = true;
    patience.end();
    client.queue.length = 0;
    gone.abort();
    connection.destroy();
  };
  const patience = patienceFor(hangUp);
  patience.start(limits.helloMs);
  const write = (text: string) => {
    if (client.gone) return;
    connection.write(text);
    if (connection.writableLength > limits.unreadBytes) hangUp();
  };
  const answer = answering(connection, { ...serving, client, gone: gone.signal, write, hangUp });
  let state: 'new' | 'greeted' | 'leaving' = 'new';
  const greet = (value: unknown) => {
    state = protocolOf(value) === PROTOCOL ? 'greeted' : 'leaving';
    if (state === 'greeted') return write(encodeFrame({ stopgate: PROTOCOL }));
    // a client of another version can read why, within the time for its first line
    connection.end(farewell(value));
  };
  const reader = frameReader({
    longest: limits.longestRequest,
    onNonsense: hangUp,
    onFrame: (value, length) => {
      if (client.gone || state === 'leaving') return;
      if (state === 'new') greet(value);
      else answer(value, length);
    },
  });
  connection.setEncoding('utf8');
  connection.on('data', (chunk: string) => {
    reader.read(chunk);
    if (client.gone || state !== 'greeted') return;
    if (!reader.isPending || chunk.includes('\n') || connection.isPaused()) patience.end();
    // further bytes do not restart it: a slow client gets no extra time
    if (reader.isPending && !connection.isPaused()) patience.start(limits.lineMs);
  });
  for (const event of ['end', 'close', 'error']) connection.on(event, hangUp);
}

/** A timeout; starting it while it runs changes nothing. */
function patienceFor(isOver: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    start: (ms: number) => {
      timer ??= setTimeout(isOver, ms).unref();
    },
    end: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** The first protocol began with a request: its clients throw the text of `bug`. */
function farewell(value: unknown): string {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  const hello = encodeFrame({ stopgate: PROTOCOL });
  return typeof id === 'number' ? `${encodeFrame({ id, bug: differentProtocols(PROTOCOL) })}${hello}` : hello;
}

interface Answering extends Serving {
  readonly client: Client;
  readonly gone: AbortSignal;
  readonly write: (text: string) => void;
  readonly hangUp: () => void;
}

/** While too many requests wait, nothing more is read: the client's socket fills up, not our memory. */
function answering(connection: Socket, { direct, commit, limits, client, gone, write, hangUp }: Answering) {
  let waitingLength = 0;
  let openWaits = 0;
  const isFull = () => client.queue.length >= limits.waitingRequests || waitingLength > limits.waitingLength;
  const send = (id: number, outcome: object | Error) => {
    const reply = encodeReply(id, outcome);
    if (reply === undefined) return hangUp();
    write(reply.length <= limits.longestReply ? reply : encodeFrame({ id, tooLong: true }));
  };
  const wait = async (id: number, withinMs: number) => {
    openWaits += 1;
    if (openWaits > limits.openWaits) return hangUp();
    await direct.changed(withinMs, gone);
    openWaits -= 1;
    send(id, {});
  };
  const perform = (id: number, call: Omit<Parameters<GroupCommit>[1], 'reply'>, length: number) => {
    waitingLength += length;
    const reply = (outcome: object | Error) => {
      waitingLength -= length;
      send(id, outcome);
      if (connection.isPaused() && !isFull()) connection.resume();
    };
    commit(client, { ...call, reply });
    if (isFull()) connection.pause();
  };
  // checked completely: only what our own code sends passes
  return (value: unknown, length: number) => {
    const { id = 0, operation = '', request, key } = requestFrame.safeParse(value).data ?? {};
    if (operation === CHANGED) {
      const waited = changedRequest.safeParse(request).data;
      return waited ? void wait(id, waited.withinMs).catch(hangUp) : hangUp();
    }
    if (!isServed(operation)) return hangUp();
    const parsed = STORE_REQUESTS[operation].safeParse(request);
    if (parsed.success) perform(id, { operation, request: parsed.data, key }, length);
    else hangUp();
  };
}

const isServed = (operation: string): operation is keyof typeof STORE_REQUESTS =>
  Object.hasOwn(STORE_REQUESTS, operation);

/** Undefined when it cannot be encoded: nested too deeply, or too long for a string. */
function encodeReply(id: number, outcome: object | Error): string | undefined {
  const frame: ReplyFrame = outcome instanceof Error ? { id, bug: outcome.message } : { id, outcome };
  return attempt(() => encodeFrame(frame), undefined);
}
