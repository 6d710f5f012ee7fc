import { describe, expect, it } from 'vitest';
import type { AssistantBlock } from '../models/types.ts';
import { withoutForeignThinking } from './foreignThinking.ts';
import { makeMessages } from './makeMessages.ts';

const make = makeMessages();
const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const providerMetadata = { anthropic: { signature: 's' } };
const content: readonly AssistantBlock[] = [
  { type: 'thinking', thinking: 'hm', providerMetadata },
  { type: 'text', text: 'so', providerMetadata },
  { type: 'tool_use', id: 't', name: 'Read', input: {}, providerMetadata },
];
const by = (model: string, modelId?: string) =>
  make.assistant(
    { id: 'm', role: 'assistant', model, content, stop_reason: 'tool_use', usage },
    modelId === undefined ? {} : { modelId },
  );
const PLAIN = [
  { type: 'text', text: 'so' },
  { type: 'tool_use', id: 't', name: 'Read', input: {} },
];

describe('withoutForeignThinking', () => {
  it.each<[string, string, string | undefined, string, boolean]>([
    ['the same model', 'claude-x', 'anthropic/claude-x', 'anthropic/claude-x', true],
    ['another provider', 'claude-x', 'anthropic/claude-x', 'http://127.0.0.1/v1#llama', false],
    ['another model of the provider', 'claude-x', 'anthropic/claude-x', 'anthropic/claude-y', false],
    ['the same name elsewhere', 'qwen', 'http://a/v1#qwen', 'http://b/v1#qwen', false],
    ['an earlier version, the same name', 'claude-x', undefined, 'anthropic/claude-x', true],
    ['an earlier version, another name', 'llama', undefined, 'anthropic/claude-x', false],
  ])('%s', (_name, model, writer, reader, stays) => {
    const messages = [make.user('hi'), by(model, writer)];
    const [asked, answered] = withoutForeignThinking(messages, reader);
    expect(asked).toBe(messages[0]);
    expect(answered?.type === 'assistant' && answered.message.content).toEqual(stays ? content : PLAIN);
  });
});
