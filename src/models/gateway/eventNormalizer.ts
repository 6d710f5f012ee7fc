import { isObject, type JsonObject, jsonValue } from '../../schemas/jsonValue.ts';
import type { StreamedEvent } from './eventStream.ts';

/** An event to pass on (possibly completed) or to skip, with its name if it is unknown. */
export type NormalizedEvent =
  | { readonly type: 'pass'; readonly data: string }
  | { readonly type: 'skip'; readonly unknown?: string };

/** Makes the events of one reply readable for a client that knows one version of the protocol. */
export interface EventNormalizer {
  take(event: StreamedEvent): NormalizedEvent;
  /** Events that the server omitted at the end of a complete reply. */
  end(): readonly string[];
  /** A complete reply as events, for servers that do not stream; undefined when it is not a reply. */
  eventsOf?(reply: JsonObject): readonly string[] | undefined;
}

/** The object in an event's data; undefined for anything else. */
export function objectIn(data: string): JsonObject | undefined {
  const value = jsonValue(data);
  return isObject(value) ? value : undefined;
}

export const pass = (data: string): NormalizedEvent => ({ type: 'pass', data });
/** Skipped as expected: nothing to report. */
export const SKIP: NormalizedEvent = { type: 'skip' };
export const skipUnknown = (unknown: string): NormalizedEvent => ({ type: 'skip', unknown });

/** For data that is not JSON. */
export const skipUnreadable = ({ event, data }: StreamedEvent): NormalizedEvent =>
  event === 'ping' || data.trim() === '' ? SKIP : skipUnknown(`event "${event ?? data.slice(0, 40)}"`);

/** For protocols whose client accepts unknown events as long as they are JSON. */
export const ANY_EVENTS: EventNormalizer = {
  take: (event) => (/^\s*[{[]/.test(event.data) ? pass(event.data) : skipUnreadable(event)),
  end: () => [],
};
