import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { ReplyInProgress } from './translateParts.ts';

const noTokens = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };

function finish(unified: 'stop' | 'length' | 'other', usage?: LanguageModelV4Usage): LanguageModelV4StreamPart {
  return {
    type: 'finish',
    finishReason: { unified, raw: undefined },
    usage: usage ?? {
      inputTokens: noTokens,
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    },
  };
}

function replyOf(...parts: LanguageModelV4StreamPart[]): ReplyInProgress {
  const reply = new ReplyInProgress();
  for (const part of parts) reply.take(part);
  return reply;
}

describe('ReplyInProgress', () => {
  it('leaves out parts that it does not know', () => {
    const reply = replyOf(
      { type: 'stream-start', warnings: [] },
      { type: 'raw', rawValue: 1 },
      { type: 'telepathy' } as unknown as LanguageModelV4StreamPart,
      finish('stop'),
    );
    expect(reply.events).toEqual([]);
    expect(reply.stopReason()).toBe('end_turn');
  });

  it('starts a reply whose provider does not, and closes open blocks', () => {
    const reply = replyOf({ type: 'text-delta', id: '1', delta: 'hi' }, finish('stop'));
    expect(reply.events).toEqual([
      { type: 'start' },
      { type: 'text_delta', text: 'hi' },
      { type: 'block', block: { type: 'text', text: 'hi' } },
    ]);
  });

  it('keeps hidden thinking for what its provider wants to see again', () => {
    const reply = replyOf(
      { type: 'reasoning-start', id: '1', providerMetadata: { openai: { itemId: 'rs_1' } } },
      { type: 'reasoning-end', id: '1', providerMetadata: { openai: { reasoningEncryptedContent: 'xyz' } } },
    );
    expect(reply.events.at(-1)).toEqual({
      type: 'block',
      block: {
        type: 'thinking',
        thinking: '',
        providerMetadata: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'xyz' } },
      },
    });
  });

  it.each([
    ['stop', 'tool_use'],
    ['other', 'tool_use'],
    ['length', 'max_tokens'],
  ] as const)('with a tool call and the reason %s ends with %s', (unified, stopReason) => {
    const reply = replyOf({ type: 'tool-call', toolCallId: 'a', toolName: 'Read', input: '' }, finish(unified));
    expect(reply.stopReason()).toBe(stopReason);
  });

  it('takes cached tokens out of a total', () => {
    const inputTokens = { total: 100, noCache: undefined, cacheRead: 60, cacheWrite: undefined };
    const outputTokens = { total: undefined, text: 5, reasoning: 7 };
    expect(replyOf(finish('stop', { inputTokens, outputTokens })).finish?.usage).toEqual({
      inputTokens: 40,
      outputTokens: 12,
      cacheReadTokens: 60,
      cacheWriteTokens: 0,
    });
  });
});
