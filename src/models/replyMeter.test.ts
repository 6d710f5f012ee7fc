import { describe, expect, it } from 'vitest';
import { AppendOnlyList } from '../system/appendOnly.ts';
import { ReplyMeter } from './replyMeter.ts';
import type { ConversationMessage, ModelEvent, ModelRequest } from './types.ts';

const request: ModelRequest = {
  system: ['s'.repeat(38)],
  messages: AppendOnlyList.of<ConversationMessage>([
    { role: 'user', content: 'u'.repeat(40) },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Read', input: 'i'.repeat(38) }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', tool_name: 'Read', content: 'r'.repeat(80) }] },
  ]),
  tools: [],
  signal: new AbortController().signal,
};
const counted = { inputTokens: 500, outputTokens: 3, cacheReadTokens: 7, cacheWriteTokens: 9 };
const failed: ModelEvent = { type: 'failed', failure: { errorClass: 'server_error', message: 'x', retryable: true } };
const text = (length: number): ModelEvent => ({ type: 'text_delta', text: 'x'.repeat(length) });

describe('ReplyMeter', () => {
  it.each<[string, readonly ModelEvent[], object | undefined]>([
    ['nothing came', [], undefined],
    ['it was refused', [failed], undefined],
    ['it only began', [{ type: 'start' }, failed], { inputTokens: 50, outputTokens: 0 }],
    ['text came', [{ type: 'start' }, text(400), failed], { inputTokens: 50, outputTokens: 100 }],
    ['it was aborted', [{ type: 'start' }, text(400)], { inputTokens: 50, outputTokens: 100 }],
    [
      'input of a tool and thinking came',
      [
        { type: 'thinking_delta', text: 'xxxx' },
        { type: 'tool_input_delta', id: 'i', name: 'n', text: 'xxxx' },
      ],
      { inputTokens: 50, outputTokens: 2 },
    ],
    ['the provider counted', [{ type: 'start' }, { type: 'usage', usage: counted }, failed], counted],
    ['and more came', [{ type: 'usage', usage: counted }, text(400), failed], { ...counted, outputTokens: 100 }],
    ['it counted at the end', [text(4), { ...failed, usage: counted }], counted],
  ])('%s', (_name, events, usage) => {
    const meter = new ReplyMeter();
    for (const event of events) meter.see(event);
    if (usage === undefined) expect(meter.brokenOff(request)).toBeUndefined();
    else expect(meter.brokenOff(request)).toMatchObject(usage);
  });
});
