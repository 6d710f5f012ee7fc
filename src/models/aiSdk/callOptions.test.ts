import { describe, expect, it } from 'vitest';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import type { ConversationMessage, ModelRequest } from '../types.ts';
import { type CallSettings, callOptionsMaker } from './callOptions.ts';
import { convertMessage } from './convertMessages.ts';

const settings: CallSettings = {
  maxOutputTokens: 1000,
  caching: 'anthropic',
  providerOptions: undefined,
  strictTools: undefined,
};
const { signal } = new AbortController();

function request(messages: AppendOnlyList<ConversationMessage>): ModelRequest {
  return { system: ['be good'], messages, tools: [], signal };
}

function step(n: number): ConversationMessage[] {
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${n}`, name: 'Read', input: { n } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${n}`, tool_name: 'Read', content: 'text' }] },
  ];
}

describe('callOptionsMaker', () => {
  it('converts each message of a growing conversation once', () => {
    let conversions = 0;
    const make = callOptionsMaker(settings, (message) => {
      conversions++;
      return convertMessage(message);
    });
    let messages = AppendOnlyList.of<ConversationMessage>([{ role: 'user', content: 'go' }]);
    for (let n = 0; n < 100; n++) {
      make(request(messages), signal);
      messages = messages.append(...step(n));
    }
    expect(make(request(messages), signal).prompt).toHaveLength(1 + messages.length);
    expect(conversions).toBe(messages.length);
  });

  it('costs no more for each request of 5,000 messages than copying pointers does', () => {
    const make = callOptionsMaker(settings);
    const messages = AppendOnlyList.of<ConversationMessage>([
      { role: 'user', content: 'go' },
      ...Array.from({ length: 2_500 }, (_, n) => step(n)).flat(),
    ]);
    make(request(messages), signal);
    const startedAt = performance.now();
    for (let i = 0; i < 100; i++) make(request(messages), signal);
    // About 0.05 ms each; converting them anew takes 20 times that. The limit leaves room for a busy machine.
    expect((performance.now() - startedAt) / 100).toBeLessThan(2);
  });

  it('does not mark what is shared between requests', () => {
    const make = callOptionsMaker(settings);
    const messages = AppendOnlyList.of<ConversationMessage>([{ role: 'user', content: 'go' }]);
    expect(make(request(messages), signal).prompt.at(-1)?.providerOptions).toEqual({
      anthropic: { cacheControl: { type: 'ephemeral' } },
    });
    const longer = make(request(messages.append(...step(1), ...step(2))), signal);
    expect(longer.prompt[1]).toEqual({ role: 'user', content: [{ type: 'text', text: 'go' }] });
  });

  it('puts tool results in a message of their own, before the rest', () => {
    expect(
      convertMessage({
        role: 'user',
        content: [
          { type: 'text', text: 'and this' },
          { type: 'tool_result', tool_use_id: 'a', tool_name: 'Read', content: 'no', is_error: true },
        ],
      }),
    ).toEqual([
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'Read', output: { type: 'error-text', value: 'no' } },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'and this' }] },
    ]);
  });

  it('converts the same list of tools once', () => {
    const make = callOptionsMaker(settings);
    const tools = [{ name: 'Read', description: 'reads', inputSchema: { type: 'object' } }];
    const messages = AppendOnlyList.of<ConversationMessage>([{ role: 'user', content: 'go' }]);
    const first = make({ ...request(messages), tools }, signal);
    expect(make({ ...request(messages), tools }, signal).tools).toBe(first.tools);
  });
});
