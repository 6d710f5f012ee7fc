import { isObject, type JsonObject } from '../../schemas/jsonValue.ts';
import { ownValue } from '../../system/ownValue.ts';
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

/** The known blocks of an answer. Requests never offer server tools, so their blocks are unknown. */
const BLOCK_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  thinking: ['thinking'],
  redacted_thinking: ['data'],
  tool_use: ['id', 'name'],
};

/** The text field of each delta. */
const DELTA_FIELDS: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
};

/** Deltas that an answer does not need. */
const SILENT_DELTAS = new Set(['citations_delta']);

/**
 * The Messages API's stream for a client that refuses what it does not know: removes unknown events, deltas and blocks,
 * adds missing usage and a missing last event.
 */
export class AnthropicEvents implements EventNormalizer {
  /** Indexes of removed blocks, whose deltas must be removed too. */
  readonly #skipped = new Set<unknown>();
  #hasStopReason = false;
  #isOver = false;

  take({ event, data }: StreamedEvent): NormalizedEvent {
    const value = objectIn(data);
    if (!value) return this.#unreadable(event, data);
    const type = String(value.type ?? event ?? '');
    const handle = ownValue(HANDLERS, type);
    if (!handle) return skipUnknown(`event "${type}"`);
    return handle(this, { ...value, type }, data);
  }

  end(): readonly string[] {
    return this.#hasStopReason && !this.#isOver ? ['{"type":"message_stop"}'] : [];
  }

  eventsOf({ type, content, ...message }: JsonObject): readonly string[] | undefined {
    if (type !== 'message' || !Array.isArray(content)) return undefined;
    const { stop_reason, stop_sequence, usage } = message;
    const blocks = content.flatMap((block: unknown, index) => (isObject(block) ? blockEvents(block, index) : []));
    const events = [
      { type: 'message_start', message },
      ...blocks,
      { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
      { type: 'message_stop' },
    ];
    return events.flatMap((event) => {
      const made = this.take({ event: undefined, data: JSON.stringify(event) });
      return made.type === 'pass' ? [made.data] : [];
    });
  }

  /** Broken JSON in a known event makes the answer incomplete: it is passed on so that the reader fails and retries. */
  #unreadable(event: string | undefined, data: string): NormalizedEvent {
    const isContent = event === undefined ? data.trimStart().startsWith('{') : Object.hasOwn(HANDLERS, event);
    if (isContent && event !== 'ping') return pass(data);
    return data === '[DONE]' ? SKIP : skipUnreadable({ event, data });
  }

  blockStart(value: JsonObject): NormalizedEvent {
    const block = isObject(value.content_block) ? value.content_block : {};
    const type = String(block.type);
    const fields = ownValue(BLOCK_FIELDS, type);
    if (!fields) {
      this.#skipped.add(value.index);
      return skipUnknown(`content block "${type}"`);
    }
    this.#skipped.delete(value.index);
    const texts = Object.fromEntries(fields.map((field) => [field, textOf(block[field])]));
    const input = type === 'tool_use' && isObject(block.input) ? { input: block.input } : {};
    return pass(JSON.stringify({ ...value, content_block: { type, ...texts, ...input } }));
  }

  blockDelta(value: JsonObject, data: string): NormalizedEvent {
    if (this.#skipped.has(value.index)) return SKIP;
    const delta = isObject(value.delta) ? value.delta : {};
    const type = String(delta.type);
    const field = ownValue(DELTA_FIELDS, type);
    if (field === undefined) return SILENT_DELTAS.has(type) ? SKIP : skipUnknown(`delta "${type}"`);
    // nearly every event is one of these, and complete
    if (typeof delta[field] === 'string' && data.startsWith('{"type":')) return pass(data);
    return pass(JSON.stringify({ ...value, delta: { type, [field]: textOf(delta[field]) } }));
  }

  blockStop(value: JsonObject): NormalizedEvent {
    return this.#skipped.has(value.index) ? SKIP : pass(JSON.stringify(value));
  }

  messageStart(value: JsonObject): NormalizedEvent {
    const message = isObject(value.message) ? value.message : {};
    const { id, model, role } = message;
    const usage = { input_tokens: 0, ...countsIn(message.usage) };
    return pass(JSON.stringify({ type: 'message_start', message: { id, model, role, usage } }));
  }

  messageDelta(value: JsonObject): NormalizedEvent {
    const { stop_reason, stop_sequence } = isObject(value.delta) ? value.delta : {};
    if (typeof stop_reason === 'string') this.#hasStopReason = true;
    const usage = { output_tokens: 0, ...countsIn(value.usage) };
    return pass(JSON.stringify({ type: 'message_delta', delta: { stop_reason, stop_sequence }, usage }));
  }

  messageStop(): NormalizedEvent {
    this.#isOver = true;
    return pass('{"type":"message_stop"}');
  }
}

/** The events of a complete block. */
function blockEvents(block: JsonObject, index: number): readonly JsonObject[] {
  const start = { type: 'content_block_start', index, content_block: { ...block, text: '', thinking: '', input: {} } };
  const delta = (value: object) => ({ type: 'content_block_delta', index, delta: value });
  const whole = { ...block, ...(isObject(block.input) ? { partial_json: JSON.stringify(block.input) } : {}) };
  const deltas = Object.entries(DELTA_FIELDS).flatMap(([type, field]) => {
    const text = (whole as JsonObject)[field];
    return typeof text === 'string' ? [delta({ type, [field]: text })] : [];
  });
  return [start, ...deltas, { type: 'content_block_stop', index }];
}

type Handler = (reply: AnthropicEvents, value: JsonObject, data: string) => NormalizedEvent;

const HANDLERS: Readonly<Record<string, Handler>> = {
  message_start: (reply, value) => reply.messageStart(value),
  content_block_start: (reply, value) => reply.blockStart(value),
  content_block_delta: (reply, value, data) => reply.blockDelta(value, data),
  content_block_stop: (reply, value) => reply.blockStop(value),
  message_delta: (reply, value) => reply.messageDelta(value),
  message_stop: (reply) => reply.messageStop(),
  // keeps the idle timer from expiring; its content is ignored
  ping: () => pass('{"type":"ping"}'),
  error: (_, value) => pass(JSON.stringify({ type: 'error', error: errorIn(value.error) })),
};

/** Some gateways send an error as a string, or as an object without a type. */
function errorIn(error: unknown): JsonObject {
  const given = isObject(error) ? error : { message: error };
  const type = typeof given.type === 'string' ? given.type : 'api_error';
  return { ...given, type, message: typeof given.message === 'string' ? given.message : 'no reason given' };
}

const COUNTS = new Set(['input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens']);

/** The counts that are numbers. */
function countsIn(usage: unknown): Readonly<Record<string, number>> {
  const counts = Object.entries(isObject(usage) ? usage : {}).filter((entry): entry is [string, number] => {
    return COUNTS.has(entry[0]) && typeof entry[1] === 'number';
  });
  return Object.fromEntries(counts);
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
