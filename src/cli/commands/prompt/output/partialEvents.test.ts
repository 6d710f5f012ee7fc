import { expect, it } from 'vitest';
import type { ModelEvent } from '../../../../models/types.ts';
import { NO_USAGE } from '../../../../models/types.ts';
import { partialEvents } from './partialEvents.ts';

const piece = (event: ModelEvent, messageUuid = 'u') => ({ type: 'stream_event', messageUuid, event }) as const;
const whole = (uuid = 'u') =>
  ({
    type: 'assistant',
    uuid,
    timestamp: '',
    message: { id: 'm', role: 'assistant', model: 'x', content: [], stop_reason: 'tool_use', usage: NO_USAGE },
  }) as const;

it('are those of the Messages API: a start, blocks in order, an end', () => {
  const events = partialEvents(() => 'some-model');
  const all = [
    ...events.piece(piece({ type: 'thinking_delta', text: 'h' })),
    ...events.piece(piece({ type: 'text_delta', text: 'a' })),
    ...events.piece(piece({ type: 'text_delta', text: 'b' })),
    ...events.piece(piece({ type: 'tool_input_delta', id: '1', name: 'Bash', text: '{}' })),
    ...events.piece(piece({ type: 'tool_input_delta', id: '2', name: 'Bash', text: '{}' })),
    ...events.whole(whole()),
  ];
  expect(all.map(({ type, index = '' }) => `${type} ${index}`.trim())).toEqual([
    ...['message_start', 'content_block_start 0', 'content_block_delta 0', 'content_block_stop 0'],
    ...['content_block_start 1', 'content_block_delta 1', 'content_block_delta 1', 'content_block_stop 1'],
    ...['content_block_start 2', 'content_block_delta 2', 'content_block_stop 2'],
    ...['content_block_start 3', 'content_block_delta 3', 'content_block_stop 3', 'message_delta', 'message_stop'],
  ]);
  expect(all[0]).toMatchObject({ message: { model: 'some-model', role: 'assistant', content: [] } });
});

it('start again after pieces that were withdrawn, and end nothing that had no pieces', () => {
  const events = partialEvents(() => 'x');
  events.piece(piece({ type: 'text_delta', text: 'a' }, 'broken'));
  events.withdraw();
  expect(events.whole(whole())).toEqual([]);
  expect(events.piece(piece({ type: 'text_delta', text: 'a' })).map(({ type }) => type)).toEqual([
    ...['message_start', 'content_block_start', 'content_block_delta'],
  ]);
});
