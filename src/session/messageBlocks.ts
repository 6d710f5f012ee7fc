import type { AssistantMessage, Message } from './messages.ts';

/**
 * An answer as one message per content block, as Claude Code's transcripts and streams have them: they share the
 * answer's `message.id`. The first one keeps the answer's uuid, the others count on from it, so that a transcript and
 * a stream name the same block alike.
 */
export function perBlock(message: Message): readonly Message[] {
  if (message.type !== 'assistant' || message.message.content.length < 2) return [message];
  return message.message.content.map((block, n) => ({
    ...message,
    uuid: countOn(message.uuid, n),
    message: { ...message.message, content: [block] },
  }));
}

/**
 * Counts in the second group of digits. Ids of one process differ only in their last ones, and those count: an answer's
 * second block would have the id of the message after it.
 */
function countOn(uuid: string, n: number): string {
  const [, before, group, after] = /^([\da-f]{8}-)([\da-f]{4})(-.+)$/.exec(uuid) ?? [];
  if (n === 0) return uuid;
  if (group === undefined) return `${uuid}-${n}`;
  return `${before}${((Number.parseInt(group, 16) + n) & 0xffff).toString(16).padStart(4, '0')}${after}`;
}

/** Puts the blocks of one answer together again; messages of older transcripts, which are whole, stay as they are. */
export function joinBlocks(messages: readonly Message[]): Message[] {
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

function isSameAnswer(a: AssistantMessage, b: AssistantMessage): boolean {
  return a.message.id === b.message.id && a.apiError === b.apiError;
}
