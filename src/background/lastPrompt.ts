import type { ConversationMessage } from '../models/types.ts';
import { type HiddenMessages, isAddedByEngine } from './memory/evidence.ts';

const MAX_CHARACTERS = 200;

/** What the person last asked for, on one line; what hooks and the engine added is not theirs. */
export function lastPromptOf(
  messages: Iterable<ConversationMessage>,
  hidden: HiddenMessages = new Set(),
): string | undefined {
  let last: string | undefined;
  for (const message of messages) {
    if (message.role === 'user' && !hidden.has(message)) last = wordsOf(message.content) ?? last;
  }
  return last;
}

function wordsOf(content: Extract<ConversationMessage, { role: 'user' }>['content']): string | undefined {
  const blocks = typeof content === 'string' ? [content] : content.flatMap((b) => (b.type === 'text' ? [b.text] : []));
  const words = blocks.filter((text) => !isAddedByEngine(text)).join(' ');
  const line = words.replace(/\s+/g, ' ').trim();
  if (line === '') return undefined;
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS - 1)}…` : line;
}
