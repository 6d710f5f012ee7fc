import type { ConversationMessage } from '../models/types.ts';
import { oneLine } from '../system/sentence.ts';
import { type HiddenMessages, isAddedByEngine } from './memory/evidence.ts';

const MAX_CHARACTERS = 200;

/** The user's last prompt, on one line; text that hooks and the engine added does not count. */
export function lastPromptOf(
  messages: Iterable<ConversationMessage>,
  hidden: HiddenMessages = new Set(),
): string | undefined {
  let last: string | undefined;
  for (const message of messages) {
    if (message.role === 'user' && !hidden.has(message)) last = userText(message.content) ?? last;
  }
  return last;
}

function userText(content: Extract<ConversationMessage, { role: 'user' }>['content']): string | undefined {
  const blocks = typeof content === 'string' ? [content] : content.flatMap((b) => (b.type === 'text' ? [b.text] : []));
  const words = blocks.filter((text) => !isAddedByEngine(text)).join(' ');
  return oneLine(words, MAX_CHARACTERS) || undefined;
}
