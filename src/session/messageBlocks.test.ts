import { describe, expect, it } from 'vitest';
import { makeMessages } from './makeMessages.ts';
import { joinBlocks, perBlock } from './messageBlocks.ts';

const make = makeMessages();
const NO_USAGE = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const text = (words: string) => ({ type: 'text', text: words }) as const;
const CALL = { type: 'tool_use', id: 't1', name: 'Bash', input: {} } as const;
const answer = (id: string, content: readonly (ReturnType<typeof text> | typeof CALL)[], uuid?: string) =>
  make.assistant(
    { id, role: 'assistant', model: 'm', content, stop_reason: 'end_turn', usage: NO_USAGE },
    uuid === undefined ? {} : { uuid },
  );

describe('an answer, block by block', () => {
  it('has a message for each, with an id of its own', () => {
    const whole = answer('msg_1', [text('a'), CALL, text('b')], '11111111-ffff-4111-8111-111111111111');
    const parts = perBlock(whole);
    expect(parts.map(({ uuid }) => uuid)).toEqual([
      '11111111-ffff-4111-8111-111111111111',
      '11111111-0000-4111-8111-111111111111',
      '11111111-0001-4111-8111-111111111111',
    ]);
    expect(parts).toMatchObject([
      { message: { id: 'msg_1', content: [text('a')] } },
      { message: { id: 'msg_1', content: [CALL] } },
      { message: { id: 'msg_1', content: [text('b')] } },
    ]);
  });

  it('has no id of a message that was made after it', () => {
    const messages = [answer('msg_1', [text('a'), CALL, text('b')]), make.user('result'), make.user('next')];
    const ids = messages.flatMap(perBlock).map(({ uuid }) => uuid);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    ['one block', answer('msg_1', [text('a')])],
    ['no block', answer('msg_1', [])],
    ['a prompt', make.user('hello')],
  ])('is left alone with %s', (_name, message) => {
    expect(perBlock(message)).toEqual([message]);
  });

  it('is put together again, whatever stands around it', () => {
    const messages = [
      make.user('hello'),
      answer('msg_1', [text('a'), CALL]),
      make.user('result'),
      answer('msg_2', [text('b')]),
      answer('msg_3', [text('c'), text('d')]),
    ];
    expect(joinBlocks(messages.flatMap(perBlock))).toEqual(messages);
    expect(joinBlocks(messages)).toEqual(messages);
  });
});
