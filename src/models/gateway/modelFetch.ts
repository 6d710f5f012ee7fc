import { isObject } from '../../schemas/jsonValue.ts';
import { connectionsFor } from '../../system/http/connections.ts';
import { Headers } from '../http/headers.ts';
import { nodeFetch } from '../http/nodeFetch.ts';
import { NodeResponse } from '../http/nodeResponse.ts';
import { type Adaptation, adapted, decideAdaptations, type PlainRequest, plainestForm } from './adaptations.ts';
import { ANY_EVENTS, type EventNormalizer, objectIn } from './eventNormalizer.ts';
import { EventStreamReader, type StreamedEvent } from './eventStream.ts';
import type { GatewayMemory } from './gatewayMemory.ts';
import { readObjection, UnexpectedAnswer, unexpectedBody } from './objection.ts';

type Fetch = typeof globalThis.fetch;
type Init = NonNullable<Parameters<Fetch>[1]>;

export interface FetchSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly memory: GatewayMemory;
  /** Created for each reply; by default every event passes unchanged. */
  readonly normalizer?: () => EventNormalizer;
}

/** Each round removes something; a gateway that still refuses after this many has another reason. */
const MAX_ROUNDS = 6;
const REFUSED = new Set([400, 422, 500, 501]);
const NAMELESS_REFUSED = new Set([400, 422]);

/**
 * `fetch` for a provider, over the process's shared connections and its proxies. For servers that support only part of
 * the protocol: removes what a server refuses by name and sends the request again, and skips unknown events. Both are
 * remembered and reported once.
 */
export function modelFetch(server: FetchSettings): Fetch {
  const send = nodeFetch(connectionsFor(server.env));
  const fetch = async (input: Parameters<Fetch>[0], init: Init = {}) => {
    const answer = await sendAdapted((adapted) => send(input, adapted), server.memory, init);
    return answer.ok ? readable(server, answer) : answer;
  };
  return fetch as Fetch;
}

type Answer = Awaited<ReturnType<Fetch>>;

async function sendAdapted(send: (init: Init) => Promise<Answer>, memory: GatewayMemory, init: Init): Promise<Answer> {
  const request = requestOf(init);
  if (!request) return send(init);
  let learned: readonly Adaptation[] = [];
  let first: Answer | undefined;
  for (let round = 0; ; round++) {
    const adaptations = [...memory.adaptations, ...learned];
    const now = adapted(request, adaptations);
    const changed = () => ({ ...init, headers: { ...now.headers }, body: JSON.stringify(now.body) });
    const answer = await send(adaptations.length === 0 ? init : changed());
    if (!REFUSED.has(answer.status)) {
      memory.learn(learned);
      return answer;
    }
    const body = await answer.text();
    const again = withBody(answer, body);
    const { message, text } = readObjection(body);
    const named = decideAdaptations(text, now);
    // when a blind attempt is refused too, the first refusal is the one to report
    if (named.length === 0 && first) return first;
    const blind = named.length === 0 && NAMELESS_REFUSED.has(answer.status) ? plainestForm(message, now) : [];
    const more = named.length > 0 ? named : blind;
    if (more.length === 0 || round >= MAX_ROUNDS) return again;
    if (blind.length > 0) first = again;
    learned = [...learned, ...more];
  }
}

/** The parts of a request with a JSON body; undefined for any other. */
function requestOf({ headers, body }: Init): PlainRequest | undefined {
  if (typeof body !== 'string') return undefined;
  let parsed: PlainRequest['body'] | undefined;
  return {
    headers: Object.fromEntries(new Headers((headers ?? {}) as ConstructorParameters<typeof Headers>[0])),
    /** Parsed only after a refusal: bodies are large, and refusals are rare. */
    get body() {
      parsed ??= objectIn(body) ?? {};
      return parsed;
    },
  };
}

/** The answer with a body that can be read again. */
function withBody(answer: Answer, body: string, status = answer.status): Answer {
  return responseLike(answer, status, ReadableStream.from([new TextEncoder().encode(body)]));
}

/** The content type shows when a server answers with a single value or a page instead of a stream. */
async function readable({ memory, normalizer = () => ANY_EVENTS }: FetchSettings, answer: Answer): Promise<Answer> {
  const type = answer.headers.get('content-type') ?? '';
  if (!answer.body) throw new UnexpectedAnswer(unexpectedBody(''));
  if (!/html|json/i.test(type))
    return responseLike(answer, answer.status, normalizedBody(answer.body, normalizer(), memory));
  const body = await answer.text();
  const value = objectIn(body);
  if (!value) throw new UnexpectedAnswer(unexpectedBody(body));
  if (value.error) return withBody(answer, body, statusIn(value.error));
  const events = normalizer().eventsOf?.(value);
  if (!events) throw new UnexpectedAnswer(unexpectedBody(body));
  return withBody(answer, events.map((event) => `data: ${event}\n\n`).join(''));
}

/** The status of an error that came with a success status. */
function statusIn(error: unknown): number {
  const { code, status } = isObject(error) ? error : {};
  const known = [code, status].map(Number).find((number) => number >= 400 && number < 600);
  return known ?? 502;
}

function responseLike(answer: Answer, status: number, body: ReadableStream<Uint8Array>): Answer {
  const { url, statusText } = answer;
  const headers = Object.fromEntries(answer.headers as unknown as Iterable<[string, string]>);
  // as in nodeFetch: AI SDK reads only this much of a response
  return new NodeResponse({ url, status, statusText, headers }, body) as unknown as Answer;
}

/** How much of an answer is kept to describe it, should it contain no event. */
const KEPT_BYTES = 4_000;

/**
 * The stream of normalized events. Canceling it cancels the source. A body without a single event is not a reply and
 * fails.
 */
function normalizedBody(
  source: ReadableStream<Uint8Array>,
  normalizer: EventNormalizer,
  memory: GatewayMemory,
): ReadableStream<Uint8Array> {
  const events = new EventStreamReader();
  const skipped: string[] = [];
  let opening = '';
  let hasEvents = false;
  const normalized = (taken: readonly StreamedEvent[]): string[] => {
    hasEvents ||= taken.length > 0;
    return taken.flatMap((event) => {
      const made = normalizer.take(event);
      if (made.type === 'skip' && made.unknown !== undefined) skipped.push(made.unknown);
      return made.type === 'pass' ? [made.data] : [];
    });
  };
  const encoder = new TextEncoder();
  const write = (controller: TransformStreamDefaultController<Uint8Array>, data: readonly string[]) => {
    if (data.length > 0) controller.enqueue(encoder.encode(data.map(asEvent).join('')));
  };
  const transformer = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      if (!hasEvents && opening.length < KEPT_BYTES) opening += Buffer.from(bytes).toString('latin1');
      write(controller, normalized(events.push(bytes)));
    },
    flush(controller) {
      write(controller, [...normalized(events.end()), ...normalizer.end()]);
      memory.skipped(skipped);
      if (!hasEvents) throw new UnexpectedAnswer(unexpectedBody(opening.slice(0, KEPT_BYTES)));
    },
  });
  return source.pipeThrough(transformer);
}

/** Splits only at line feeds: `^` would also match after U+2028, which can be part of any text. */
const asEvent = (data: string) =>
  `${data
    .split('\n')
    .map((line) => `data: ${line}`)
    .join('\n')}\n\n`;
