import type { ModelEvent } from '../../../../models/types.ts';
import type { QueryEvent } from '../../../../query/events.ts';
import type { AssistantMessage } from '../../../../session/messages.ts';
import { usageFields } from './resultLine.ts';

/** Events of an answer that arrives, as the Messages API streams them and Claude Code passes them on. */
export interface PartialEvents {
  /** A piece of an answer: its events, with the message that they belong to. */
  piece(event: Extract<QueryEvent, { type: 'stream_event' }>): readonly PartialEvent[];
  /** The whole answer: what ends its events, none when it had no pieces. */
  whole(message: AssistantMessage): readonly PartialEvent[];
  /** The pieces are withdrawn. */
  withdraw(): void;
}

interface PartialEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface OpenMessage {
  readonly uuid: string;
  readonly index: number;
  /** Of the block that is open: its type and, for a call, its id. */
  readonly block: string;
}

type Piece = Extract<ModelEvent, { text: string }>;

export function partialEvents(model: () => string): PartialEvents {
  let open: OpenMessage | undefined;
  return {
    piece: ({ messageUuid, event }) => {
      const form = formOf(event);
      if (form === undefined) return [];
      const before = open?.uuid === messageUuid ? open : undefined;
      const events: PartialEvent[] = before ? [] : [messageStart(messageUuid, model())];
      if (before?.block !== form.block) {
        if (before) events.push({ type: 'content_block_stop', index: before.index });
        open = { uuid: messageUuid, index: before ? before.index + 1 : 0, block: form.block };
        events.push({ type: 'content_block_start', index: open.index, content_block: form.start });
      }
      return [...events, { type: 'content_block_delta', index: open?.index ?? 0, delta: form.delta }];
    },
    whole: ({ uuid, message }) => {
      const before = open?.uuid === uuid ? open : undefined;
      open = undefined;
      if (before === undefined) return [];
      const delta = { stop_reason: message.stop_reason, stop_sequence: null };
      return [
        { type: 'content_block_stop', index: before.index },
        { type: 'message_delta', delta, usage: usageFields(message.usage) },
        { type: 'message_stop' },
      ];
    },
    withdraw: () => {
      open = undefined;
    },
  };
}

const messageStart = (uuid: string, model: string): PartialEvent => ({
  type: 'message_start',
  message: {
    ...{ id: `msg_${uuid}`, type: 'message', role: 'assistant', model, content: [] },
    ...{ stop_reason: null, stop_sequence: null },
  },
});

interface PieceForm {
  readonly block: string;
  readonly start: object;
  readonly delta: object;
}

const FORMS: { readonly [Type in Piece['type']]: (piece: Extract<Piece, { type: Type }>) => PieceForm } = {
  text_delta: ({ text }) => ({
    block: 'text',
    start: { type: 'text', text: '' },
    delta: { type: 'text_delta', text },
  }),
  thinking_delta: ({ text }) => ({
    block: 'thinking',
    start: { type: 'thinking', thinking: '', signature: '' },
    delta: { type: 'thinking_delta', thinking: text },
  }),
  tool_input_delta: ({ id, name, text }) => ({
    block: `call ${id}`,
    start: { type: 'tool_use', id, name, input: {} },
    delta: { type: 'input_json_delta', partial_json: text },
  }),
};

function formOf(event: ModelEvent): PieceForm | undefined {
  if (!('text' in event)) return undefined;
  const form = FORMS[event.type] as (piece: Piece) => PieceForm;
  return form(event);
}
