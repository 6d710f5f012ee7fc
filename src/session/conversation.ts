import type { ConversationMessage, SystemContent } from '../models/types.ts';
import { deriveIncrementally } from '../system/appendOnly.ts';
import type { AssistantMessage, Message, UserMessage } from './messages.ts';

/**
 * The messages that the model is sent, in order. Incremental: a step costs what it added. System messages, attachments
 * and API errors are for people.
 */
export const conversationOf = deriveIncrementally<Message, ConversationMessage>((message) => {
  if (message.type === 'user') return message.isContext ? systemContent(message) : message.message;
  // no provider accepts an answer without content in a history
  if (message.type === 'assistant' && !message.apiError && message.message.content.length > 0) return message.message;
  return undefined;
});

function systemContent({ message }: UserMessage): SystemContent {
  return { role: 'system', content: typeof message.content === 'string' ? message.content : '' };
}

/** The visible text of an answer, its text blocks joined. */
export function textOf(message: AssistantMessage): string {
  return message.message.content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim();
}
