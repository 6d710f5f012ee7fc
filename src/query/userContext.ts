import type { Message, UserMessage } from '../session/messages.ts';
import type { Turn } from './turn.ts';

type ContextFacts = Pick<Turn, 'make' | 'userContext'>;

/** The session's context as a hidden message of its own, or nothing. */
export function contextMessages(turn: ContextFacts): UserMessage[] {
  const entries = Object.entries(turn.userContext).filter(([, text]) => text !== '');
  if (entries.length === 0) return [];
  const text = entries.map(([name, value]) => `# ${name}\n${value}`).join('\n\n');
  const content = `Context for this session. It may or may not matter to the task at hand.\n\n${text}`;
  return [turn.make.user(content, { isMeta: true, isContext: true })];
}

/**
 * The conversation with its context after the first message: always in the same place, so that a session that is gone
 * on with begins byte for byte like before and the provider's prompt cache still fits.
 */
export function withContext(turn: ContextFacts, messages: Iterable<Message>): Message[] {
  const [first, ...rest] = messages;
  return first ? [first, ...contextMessages(turn), ...rest] : contextMessages(turn);
}
