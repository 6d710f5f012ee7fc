import type { ConversationMessage, TextBlock, ToolResultBlock, UserBlock, UserContent } from '../models/types.ts';
import { messageCharacters } from './compaction.ts';

export interface Shortened {
  readonly messages: readonly ConversationMessage[];
  /** How many of the oldest rounds were left out. */
  readonly droppedRounds: number;
  /** Whether long texts and images that stayed were cut. */
  readonly cut: boolean;
}

/** A shorter text is useless. */
const SHORTEST_TEXT = 400;

/**
 * Shortens a conversation to about `share` of its size. The first prompt stays; the oldest rounds go. A round is an answer
 * with the results of its calls, since a request with an unpaired call is refused. When the last round alone is too long,
 * its texts are cut in the middle.
 */
export function shortenConversation(messages: readonly ConversationMessage[], share: number): Shortened {
  const firstAnswer = messages.findIndex(({ role }) => role === 'assistant');
  const head = firstAnswer < 0 ? messages : messages.slice(0, firstAnswer);
  const rounds = firstAnswer < 0 ? [] : roundsOf(messages.slice(firstAnswer));
  const room = sizeOf(messages) * share;
  let droppedRounds = 0;
  let left = sizeOf(messages);
  while (left > room && droppedRounds < rounds.length - 1) left -= sizeOf(rounds[droppedRounds++] ?? []);
  const kept = [...withNote(head, droppedRounds), ...rounds.slice(droppedRounds).flat()];
  if (left <= room) return { messages: kept, droppedRounds, cut: false };
  return { messages: cutTexts(kept, room), droppedRounds, cut: true };
}

function roundsOf(messages: readonly ConversationMessage[]): ConversationMessage[][] {
  const rounds: ConversationMessage[][] = [];
  for (const message of messages) {
    if (message.role === 'assistant') rounds.push([message]);
    else rounds.at(-1)?.push(message);
  }
  return rounds;
}

const sizeOf = (messages: readonly ConversationMessage[]): number =>
  messages.reduce((sum, message) => sum + messageCharacters(message), 0);

/** Beside the last message of the person, since some servers refuse two user messages in a row. */
function withNote(head: readonly ConversationMessage[], dropped: number): readonly ConversationMessage[] {
  if (dropped === 0) return head;
  const rounds = dropped === 1 ? 'round of this conversation is' : `${dropped} rounds of this conversation are`;
  const note: TextBlock = { type: 'text', text: `[The oldest ${rounds} left out here: it was too long.]` };
  const place = head.findLastIndex(({ role }) => role === 'user');
  const last = head[place] as UserContent | undefined;
  if (!last) return [...head, { role: 'user', content: [note] }];
  const noted: UserContent = { role: 'user', content: [...blocksOf(last), note] };
  return head.map((message, index) => (index === place ? noted : message));
}

const blocksOf = ({ content }: UserContent): readonly UserBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

function cutTexts(messages: readonly ConversationMessage[], room: number): readonly ConversationMessage[] {
  const pieces = messages.reduce((sum, { content }) => sum + (typeof content === 'string' ? 1 : content.length), 0);
  const limit = Math.max(SHORTEST_TEXT, Math.floor(room / Math.max(1, pieces)));
  return messages.map((message) => cutMessage(message, limit));
}

function cutMessage(message: ConversationMessage, limit: number): ConversationMessage {
  if (message.role === 'system') return { role: 'system', content: cutText(message.content, limit) };
  if (message.role === 'user') {
    const { content } = message;
    if (typeof content === 'string') return { role: 'user', content: cutText(content, limit) };
    return { role: 'user', content: content.map((block) => cutUserBlock(block, limit)) };
  }
  // calls stay whole because results name them; thinking is not needed for a summary
  const content = message.content.flatMap((block) => {
    if (block.type === 'thinking') return [];
    return [block.type === 'text' ? { ...block, text: cutText(block.text, limit) } : block];
  });
  return { role: 'assistant', content };
}

function cutUserBlock(block: UserBlock, limit: number): UserBlock {
  if (block.type !== 'tool_result') return cutPart(block, limit);
  const { content } = block;
  const cut = typeof content === 'string' ? cutText(content, limit) : content.map((part) => cutPart(part, limit));
  return { ...block, content: cut };
}

function cutPart(part: Exclude<UserBlock, ToolResultBlock>, limit: number): TextBlock {
  if (part.type === 'image') return { type: 'text', text: '[an image is left out here]' };
  return { ...part, text: cutText(part.text, limit) };
}

function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  return `${text.slice(0, half)}\n[${text.length - 2 * half} characters are left out here]\n${text.slice(text.length - half)}`;
}
