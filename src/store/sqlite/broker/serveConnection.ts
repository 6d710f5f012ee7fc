import type { Socket } from 'node:net';
import type { SqliteTransport } from '../transport.ts';
import { differentProtocols, encodeFrame, frameReader, PROTOCOL, protocolOf, type ReplyFrame } from './frames.ts';
import type { Asker, GroupCommit } from './groupCommit.ts';
import type { BrokerLimits } from './limits.ts';
import { type AskedOperation, readRequest } from './readRequest.ts';

export interface Serving {
  readonly direct: SqliteTransport;
  readonly commits: GroupCommit;
  readonly limits: BrokerLimits;
}

/**
 * One client. It may be anything that runs as this user, so nothing it sends is relied on and nothing it does costs more than
 * the limits: nonsense, a line that does not end, answers that are not read are hung up on.
 */
export function serveConnection(connection: Socket, serving: Serving): void {
  const { limits } = serving;
  const asker: Asker = { queue: [], gone: false };
  const gone = new AbortController();
  const hangUp = () => {
    if (asker.gone) return;
    asker.gone = true;
    patience.end();
    asker.queue.length = 0;
    gone.abort();
    connection.destroy();
  };
  const patience = patienceFor(hangUp);
  patience.start(limits.helloMs);
  const write = (text: string) => {
    if (asker.gone) return;
    connection.write(text);
    if (connection.writableLength > limits.unreadBytes) hangUp();
  };
  const answer = answering(connection, { ...serving, asker, gone: gone.signal, write, hangUp });
  let state: 'new' | 'greeted' | 'leaving' = 'new';
  const greet = (value: unknown) => {
    state = protocolOf(value) === PROTOCOL ? 'greeted' : 'leaving';
    if (state === 'greeted') return write(encodeFrame({ stopgate: PROTOCOL }));
    // a client of another version should be able to read why; it has as long as for its first line
    connection.end(farewell(value));
  };
  const reader = frameReader({
    longest: limits.longestRequest,
    onNonsense: hangUp,
    onFrame: (value, length) => {
      if (asker.gone || state === 'leaving') return;
      if (state === 'new') greet(value);
      else answer(value, length);
    },
  });
  connection.setEncoding('utf8');
  connection.on('data', (chunk: string) => {
    reader.read(chunk);
    if (asker.gone || state !== 'greeted') return;
    if (!reader.isPending || chunk.includes('\n') || connection.isPaused()) patience.end();
    // not started anew by further bytes: a client that sends one now and then gets no more time
    if (reader.isPending && !connection.isPaused()) patience.start(limits.lineMs);
  });
  for (const event of ['end', 'close', 'error']) connection.on(event, hangUp);
}

/** One clock that runs or does not; starting it again while it runs changes nothing. */
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

/** The first protocol began with a request: its clients throw what `bug` says. */
function farewell(value: unknown): string {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  const hello = encodeFrame({ stopgate: PROTOCOL });
  return typeof id === 'number' ? `${encodeFrame({ id, bug: differentProtocols(PROTOCOL) })}${hello}` : hello;
}

interface Answering extends Serving {
  readonly asker: Asker;
  readonly gone: AbortSignal;
  readonly write: (text: string) => void;
  readonly hangUp: () => void;
}

/** Each request in its turn. While too many wait, nothing more is read: the client's own socket fills up, not our memory. */
function answering(connection: Socket, { direct, commits, limits, asker, gone, write, hangUp }: Answering) {
  let waitingLength = 0;
  let openWaits = 0;
  const isFull = () => asker.queue.length >= limits.waitingRequests || waitingLength > limits.waitingLength;
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
  const perform = ({ id, operation, request }: AskedOperation, length: number) => {
    waitingLength += length;
    const reply = (outcome: object | Error) => {
      waitingLength -= length;
      send(id, outcome);
      if (connection.isPaused() && !isFull()) connection.resume();
    };
    commits.ask(asker, { operation, request, reply });
    if (isFull()) connection.pause();
  };
  return (value: unknown, length: number): void => {
    const asked = readRequest(value);
    if (asked.type === 'nonsense') hangUp();
    else if (asked.type === 'changed') wait(asked.id, asked.withinMs).catch(hangUp);
    else perform(asked, length);
  };
}

/** Undefined when there are no words for it: nested too deep, or longer than a text can be. */
function encodeReply(id: number, outcome: object | Error): string | undefined {
  const frame: ReplyFrame = outcome instanceof Error ? { id, bug: outcome.message } : { id, outcome };
  try {
    return encodeFrame(frame);
  } catch {
    return undefined;
  }
}
