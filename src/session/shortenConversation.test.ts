import { describe, expect, it } from 'vitest';
import type { ConversationMessage } from '../models/types.ts';
import { messageCharacters } from './compaction.ts';
import { shortenConversation } from './shortenConversation.ts';

const ask = (text: string): ConversationMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const call = (id: string): ConversationMessage => ({
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: 'hm' },
    { type: 'tool_use', id, name: 'Read', input: { path: id } },
  ],
});
const result = (id: string, content: string): ConversationMessage => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, tool_name: 'Read', content }],
});
const rounds = (count: number, size: number) =>
  Array.from({ length: count }, (_, i) => [call(`c${i}`), result(`c${i}`, `${i}:`.padEnd(size, 'x'))]).flat();
const size = (messages: readonly ConversationMessage[]) => messages.reduce((sum, m) => sum + messageCharacters(m), 0);

/** Every call has its result after it, and no result is without a call. */
function expectPaired(messages: readonly ConversationMessage[]): void {
  const open = new Set<string>();
  for (const { role, content } of messages) {
    if (typeof content === 'string') continue;
    if (role === 'assistant') expect([...open]).toEqual([]);
    for (const block of content) {
      if (block.type === 'tool_use') open.add(block.id);
      if (block.type === 'tool_result') expect(open.delete(block.tool_use_id)).toBe(true);
    }
  }
  expect([...open]).toEqual([]);
}

describe('shortenConversation', () => {
  it.each([0.75, 0.5, 0.25, 0.05, 0.02])('keeps the first prompt and the newest rounds: %d', (share) => {
    const whole = [ask('fix the bug'), ...rounds(40, 1_000)];
    const { messages, droppedRounds } = shortenConversation(whole, share);
    expect(size(messages)).toBeLessThan(size(whole) * share + 700);
    expect(JSON.stringify(messages[0])).toContain('fix the bug');
    expect(JSON.stringify(messages[0])).toContain(`The oldest ${droppedRounds} rounds`);
    expect(JSON.stringify(messages.at(-1))).toContain('39:');
    expectPaired(messages);
  });

  it('cuts the texts and images of a last round that is too long by itself', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } } as const;
    const last: ConversationMessage = {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'big',
          tool_name: 'Read',
          content: [{ type: 'text', text: 'y'.repeat(90_000) }, image],
        },
      ],
    };
    const whole = [ask('fix'), call('a'), result('a', 'small'), call('big'), last];
    const { messages, droppedRounds, cut } = shortenConversation(whole, 0.1);
    expect({ droppedRounds, cut }).toEqual({ droppedRounds: 1, cut: true });
    expect(size(messages)).toBeLessThan(10_000);
    expect(JSON.stringify(messages)).toContain('characters are left out here');
    expect(JSON.stringify(messages)).toContain('[an image is left out here]');
    expectPaired(messages);
  });

  it('cuts a prompt that is too long by itself', () => {
    const { messages, cut, droppedRounds } = shortenConversation(
      [ask('z'.repeat(50_000)), call('a'), result('a', 'r')],
      0.2,
    );
    expect({ droppedRounds, cut }).toEqual({ droppedRounds: 0, cut: true });
    expect(size(messages)).toBeLessThan(11_000);
    expectPaired(messages);
  });

  it('leaves what fits as it is', () => {
    const whole = [ask('fix'), ...rounds(2, 10)];
    expect(shortenConversation(whole, 1)).toEqual({ messages: whole, droppedRounds: 0, cut: false });
  });
});
