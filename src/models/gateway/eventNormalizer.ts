import { jsonValue } from '../../schemas/jsonValue.ts';
import type { StreamedEvent } from './eventStream.ts';

/** What a protocol makes of one event: passed on (maybe completed), or left out, with its name where it is unknown. */
export type NormalizedEvent =
  | { readonly type: 'pass'; readonly data: string }
  | { readonly type: 'skip'; readonly unknown?: string };

/** One reply's events, made readable for a client that knows one version of the protocol. */
export interface EventNormalizer {
  take(event: StreamedEvent): NormalizedEvent;
  /** Events that the server left out at the end of a reply that is otherwise complete. */
  end(): readonly string[];
  /** A whole reply as events, for servers that do not stream; undefined when it is no reply. */
  eventsOf?(reply: JsonObject): readonly string[] | undefined;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object in an event's data; undefined for anything else. */
export function objectIn(data: string): JsonObject | undefined {
  const value = jsonValue(data);
  return isObject(value) ? value : undefined;
}

export const pass = (data: string): NormalizedEvent => ({ type: 'pass', data });
/** Left out, and expected: nothing to report. */
export const SKIP: NormalizedEvent = { type: 'skip' };
export const skipUnknown = (unknown: string): NormalizedEvent => ({ type: 'skip', unknown });

/** For protocols whose client takes unknown events as they come, as long as they are JSON. */
export const ANY_EVENTS: EventNormalizer = {
  take: ({ event, data }) => {
    if (/^\s*[{[]/.test(data)) return pass(data);
    return data.trim() === '' || event === 'ping' ? SKIP : skipUnknown(`event "${event ?? data.slice(0, 40)}"`);
  },
  end: () => [],
};
