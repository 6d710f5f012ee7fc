import { describe, expect, it } from 'vitest';
import type { AssistantBlock } from '../../../models/types.ts';
import { makeMessages } from '../../../session/makeMessages.ts';
import type { Message } from '../../../session/messages.ts';
import { glanceAt } from './sessionState.ts';

const make = makeMessages();
const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const answer = (content: AssistantBlock[], flags = {}) =>
  make.assistant({ id: 'm', role: 'assistant', model: 'x', stop_reason: 'end_turn', usage, content }, flags);
const text = (words: string) => answer([{ type: 'text', text: words }]);
const prompt = make.user([{ type: 'text', text: 'fix the total' }]);
const hidden = make.user([{ type: 'text', text: 'You are at 40%.' }], { isMeta: true });
const call = answer([{ type: 'tool_use', id: '1', name: 'Bash', input: {} }]);

describe('glanceAt', () => {
  it.each<[string, Message[], number, string, RegExp]>([
    ['an answer', [prompt, text('Fixed.')], 0, 'done', /Fixed/],
    ['an answer without a sign of success', [prompt, text('It counts lines.')], 0, 'done', /It counts lines/],
    ['a question', [prompt, text('Which one?')], 0, 'needs_input', /Which one/],
    ['a call that runs', [prompt, call], 1_000, 'working', /No answer yet/],
    ['a call long ago', [prompt, call], 3_600_000, 'failed', /ended without an answer/],
    [
      'an API error',
      [prompt, { ...text('The model is overloaded.'), apiError: 'overloaded' }],
      0,
      'failed',
      /overloaded/,
    ],
    ['nothing', [], 3_600_000, 'failed', /ended without an answer/],
  ])('%s', (_name, messages, silentMs, state, detail) => {
    const glance = glanceAt(messages, silentMs);
    expect(glance.state).toBe(state);
    expect(glance.detail).toMatch(detail);
  });

  it('takes the person’s last prompt, not what the engine wrote', () => {
    expect(glanceAt([prompt, text('x'), hidden, text('y')], 0).lastPrompt).toBe('fix the total');
  });
});
