import type { AssistantMessage, Message } from './messages.ts';

/**
 * An answer as one message per content block, as in Claude Code's transcripts and streams: they share the answer's
 * `message.id`. The first one keeps the answer's uuid and the others count from it, so that transcript and stream agree.
 */
export function perBlock(message: Message): readonly Message[] {
  if (message.type !== 'assistant' || message.message.content.length < 2) return [message];
  return message.message.content.map((block, n) => ({
    ...message,
    uuid: countOn(message.uuid, n),
    message: { ...message.message, content: [block] },
  }));
}

/** Counts in the second group of digits: the last ones count messages, so a block would get the next message's id. */
function countOn(uuid: string, n: number): string {
  const [, before, group, after] = /^([\da-f]{8}-)([\da-f]{4})(-.+)$/.exec(uuid) ?? [];
  if (n === 0) return uuid;
  if (group === undefined) return `${uuid}-${n}`;
  return `${before}${((Number.parseInt(group, 16) + n) & 0xffff).toString(16).padStart(4, '0')}${after}`;
}

/** Joins the blocks of one answer again; whole messages of older transcripts stay as they are. */
export function joinBlocks(messages: readonly Message[]): Message[] {
  const isSameAnswer = (a: AssistantMessage, b: AssistantMessage) =>
    a.message.id === b.message.id && a.apiError === b.apiError;
  const joined: Message[] = [];
  for (const message of messages) {
    const before = joined.at(-1);
    if (before?.type === 'assistant' && message.type === 'assistant' && isSameAnswer(before, message)) {
      const content = [...before.message.content, ...message.message.content];
      joined[joined.length - 1] = { ...before, message: { ...before.message, content } };
    } else joined.push(message);
  }
  return joined;
}
