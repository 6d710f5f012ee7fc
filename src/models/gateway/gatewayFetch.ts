import { Headers } from '../http/headers.ts';
import { NodeResponse } from '../http/nodeResponse.ts';
import { type Adaptation, adapted, decideAdaptations, type PlainRequest, plainestForm } from './adaptations.ts';
import { ANY_EVENTS, type EventNormalizer, isObject, objectIn } from './eventNormalizer.ts';
import type { GatewayMemory } from './gatewayMemory.ts';
import { normalizedBody } from './normalizedBody.ts';
import { readObjection } from './objection.ts';
import { UnexpectedAnswer, unexpectedBody } from './unexpectedAnswer.ts';

type Fetch = typeof globalThis.fetch;
type Init = NonNullable<Parameters<Fetch>[1]>;

export interface GatewayOptions {
  readonly send: Fetch;
  readonly memory: GatewayMemory;
  /** Made for each reply; by default every event is passed on as it is. */
  readonly normalizer?: () => EventNormalizer;
}

/** Each round leaves something out; a gateway that still refuses after this many refuses for another reason. */
const MAX_ROUNDS = 6;
const REFUSED = new Set([400, 422, 500, 501]);
const NAMELESS_REFUSED = new Set([400, 422]);

/**
 * `fetch` for servers that speak a provider's protocol and not all of it. What a server refuses by name is left out and
 * the request is sent again; what it sends and no client knows is skipped. Both are remembered and reported once.
 */
export function gatewayFetch(options: GatewayOptions): Fetch {
  const fetch = async (input: Parameters<Fetch>[0], init: Init = {}) => {
    const answer = await sendAdapted(options, input, init);
    return answer.ok ? readable(options, answer) : answer;
  };
  return fetch as Fetch;
}

type Answer = Awaited<ReturnType<Fetch>>;

async function sendAdapted({ send, memory }: GatewayOptions, input: Parameters<Fetch>[0], init: Init): Promise<Answer> {
  const request = requestOf(init);
  if (!request) return send(input, init);
  let learned: readonly Adaptation[] = [];
  let first: Answer | undefined;
  for (let round = 0; ; round++) {
    const adaptations = [...memory.adaptations, ...learned];
    const answer = await send(input, adaptations.length === 0 ? init : changed(init, adapted(request, adaptations)));
    if (!REFUSED.has(answer.status)) {
      memory.learn(learned);
      return answer;
    }
    const body = await answer.text();
    const again = withBody(answer, body);
    const { message, text } = readObjection(body);
    const now = adapted(request, adaptations);
    const named = decideAdaptations(text, now);
    // a blind try that was refused as well proves nothing: the first refusal is the one to report
    if (named.length === 0 && first) return first;
    const blind = named.length === 0 && NAMELESS_REFUSED.has(answer.status) ? plainestForm(message, now) : [];
    const more = named.length > 0 ? named : blind;
    if (more.length === 0 || round >= MAX_ROUNDS) return again;
    if (blind.length > 0) first = again;
    learned = [...learned, ...more];
  }
}

/** A request with a JSON body, taken apart; undefined for any other. */
function requestOf({ headers, body }: Init): PlainRequest | undefined {
  if (typeof body !== 'string') return undefined;
  const parsed = lazyObject(body);
  return {
    headers: Object.fromEntries(new Headers((headers ?? {}) as ConstructorParameters<typeof Headers>[0])),
    get body() {
      return parsed();
    },
  };
}

/** Read only when a gateway has objections: bodies are large, and most servers have none. */
function lazyObject(text: string): () => PlainRequest['body'] {
  let value: PlainRequest['body'] | undefined;
  return () => {
    if (value) return value;
    const parsed: unknown = JSON.parse(text);
    value = isObject(parsed) ? parsed : {};
    return value;
  };
}

function changed(init: Init, { headers, body }: PlainRequest): Init {
  return { ...init, headers: { ...headers }, body: JSON.stringify(body) };
}

/** The body of an answer is read once; this one can be read again. */
function withBody(answer: Answer, body: string, status = answer.status): Answer {
  return responseLike({ answer, status, body: streamOf(body) });
}

/** A server that answers a request for a stream with one value or with a page does so with a content type. */
async function readable(options: GatewayOptions, answer: Answer): Promise<Answer> {
  const type = answer.headers.get('content-type') ?? '';
  if (!answer.body) throw new UnexpectedAnswer(unexpectedBody(''));
  if (!/html|json/i.test(type)) return withNormalEvents(options, answer);
  const body = await answer.text();
  const value = objectIn(body);
  if (!value) throw new UnexpectedAnswer(unexpectedBody(body));
  if (value.error) return withBody(answer, body, statusIn(value.error));
  const events = options.normalizer?.().eventsOf?.(value);
  if (!events) throw new UnexpectedAnswer(unexpectedBody(body));
  return withBody(answer, events.map((event) => `data: ${event}\n\n`).join(''));
}

function withNormalEvents({ memory, normalizer = () => ANY_EVENTS }: GatewayOptions, answer: Answer): Answer {
  const { body, status } = answer;
  if (!body) return answer;
  const onSkipped = (kinds: readonly string[]) => memory.skipped(kinds);
  return responseLike({ answer, status, body: normalizedBody(body, { normalizer: normalizer(), onSkipped }) });
}

/** An error under a status of success: its own code, where that is one. */
function statusIn(error: unknown): number {
  const { code, status } = isObject(error) ? error : {};
  const known = [code, status].map(Number).find((number) => number >= 400 && number < 600);
  return known ?? 502;
}

function streamOf(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
}

interface Remade {
  readonly answer: Answer;
  readonly status: number;
  readonly body: ReadableStream<Uint8Array>;
}

function responseLike({ answer, status, body }: Remade): Answer {
  const { url, statusText } = answer;
  const headers = Object.fromEntries(answer.headers as unknown as Iterable<[string, string]>);
  // as nodeFetch does: AI SDK reads this much of a response and nothing else
  return new NodeResponse({ url, status, statusText, headers }, body) as unknown as Answer;
}
