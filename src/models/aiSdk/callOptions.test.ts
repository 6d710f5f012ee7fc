import { describe, expect, it } from 'vitest';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import type { ConversationMessage, ModelRequest } from '../types.ts';
import { type CallSettings, callOptionsMaker } from './callOptions.ts';
import { convertMessage } from './convertMessages.ts';

const settings: CallSettings = { maxOutputTokens: 1000, caching: 'anthropic' };
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
      make(request(messages), signal).giveBack();
      messages = messages.append(...step(n));
    }
    expect(make(request(messages), signal).options.prompt).toHaveLength(1 + messages.length);
    expect(conversions).toBe(messages.length);
  });

  it('neither converts nor copies what was there before', () => {
    const make = callOptionsMaker(settings);
    let messages = AppendOnlyList.of<ConversationMessage>([{ role: 'user', content: 'go' }]);
    const first = make(request(messages), signal);
    first.giveBack();
    messages = messages.append(...step(0));
    const second = make(request(messages), signal);
    expect(second.options.prompt).toBe(first.options.prompt);
  });

  it('gives a second request of the same conversation a prompt of its own while the first is read', () => {
    const make = callOptionsMaker(settings);
    const messages = AppendOnlyList.of<ConversationMessage>([{ role: 'user', content: 'go' }]);
    const first = make(request(messages), signal);
    const before = structuredClone(first.options.prompt);
    const second = make(request(messages.append(...step(0))), signal);
    expect(second.options.prompt).not.toBe(first.options.prompt);
    expect(first.options.prompt).toEqual(before);
    second.giveBack();
    first.giveBack();
    expect(make(request(messages), signal).options.prompt).toEqual(before);
  });

  it('moves the marks for caching and leaves nothing marked behind', () => {
    const make = callOptionsMaker(settings);
    const messages = AppendOnlyList.of<ConversationMessage>([{ role: 'user', content: 'go' }]);
    const first = make(request(messages), signal);
    expect(first.options.prompt.at(-1)?.providerOptions).toEqual({
      anthropic: { cacheControl: { type: 'ephemeral' } },
    });
    first.giveBack();
    const longer = make(request(messages.append(...step(1), ...step(2))), signal);
    expect(longer.options.prompt[1]).toEqual({ role: 'user', content: [{ type: 'text', text: 'go' }] });
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
    expect(make({ ...request(messages), tools }, signal).options.tools).toBe(first.options.tools);
  });
});
