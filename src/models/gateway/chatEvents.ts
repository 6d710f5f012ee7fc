import { isObject, type JsonObject } from '../../schemas/jsonValue.ts';
import {
  type EventNormalizer,
  type NormalizedEvent,
  objectIn,
  pass,
  SKIP,
  skipUnknown,
  skipUnreadable,
} from './eventNormalizer.ts';
import type { StreamedEvent } from './eventStream.ts';

/** Chat completions: an event is a chunk with `choices`, an error, or ignored. */
export class ChatEvents implements EventNormalizer {
  take({ event, data }: StreamedEvent): NormalizedEvent {
    if (data === '[DONE]') return pass(data);
    const value = objectIn(data);
    if (!value) return data.trimStart().startsWith('{') ? pass(data) : skipUnreadable({ event, data });
    if (isObject(value.error) || typeof value.error === 'string') return pass(data);
    if (Array.isArray(value.choices)) return pass(JSON.stringify({ ...value, ...plainUsage(value) }));
    // some servers send a last chunk with usage but without choices
    if (isObject(value.usage)) return pass(JSON.stringify({ ...value, ...plainUsage(value), choices: [] }));
    const type = value.type ?? value.object ?? event;
    return type === 'ping' ? SKIP : skipUnknown(`event "${typeof type === 'string' ? type : 'without a type'}"`);
  }

  end(): readonly string[] {
    return [];
  }

  eventsOf({ choices, ...reply }: JsonObject): readonly string[] | undefined {
    if (!Array.isArray(choices)) return undefined;
    const chunks = choices.filter(isObject).map(({ message, ...choice }) => ({ ...choice, delta: deltaOf(message) }));
    return [JSON.stringify({ ...reply, choices: chunks }), '[DONE]'];
  }
}

/** Adds the index that clients need to assemble tool calls; a complete message has none. */
function deltaOf(message: unknown): unknown {
  if (!isObject(message) || !Array.isArray(message.tool_calls)) return message;
  const calls = message.tool_calls.map((call: unknown, index) => (isObject(call) ? { index, ...call } : call));
  return { ...message, tool_calls: calls };
}

/** The client refuses a chunk whose usage is not an object. */
function plainUsage({ usage }: JsonObject): JsonObject {
  return isObject(usage) || usage === undefined ? {} : { usage: null };
}
