import type { HookVerdict } from '../hooks/types.ts';
import { systemReminder } from '../session/makeMessages.ts';
import type { Message, UserMessage } from '../session/messages.ts';
import { AppendOnlyList } from '../system/appendOnly.ts';
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
 * The conversation with its context after the first message: always in the same place, so that a resumed session begins
 * with the same bytes and the provider's prompt cache still fits.
 */
export function withContext(turn: ContextFacts, messages: Iterable<Message>): Message[] {
  const [first, ...rest] = messages;
  return first ? [first, ...contextMessages(turn), ...rest] : contextMessages(turn);
}

/** After what the model last read, but before the session's context when that was the end: it belongs to the prompt. */
export function besideLast(messages: AppendOnlyList<Message>, added: Message): AppendOnlyList<Message> {
  const last = messages.at(-1);
  if (last?.type !== 'user' || !last.isContext) return messages.append(added);
  return AppendOnlyList.of([...messages.toArray().slice(0, -1), added, last]);
}

/** What hooks add for the model, each as a hidden message of its own. */
export function hookContexts(turn: Turn, { contexts }: HookVerdict): UserMessage[] {
  return contexts.map((text) => turn.make.hidden(systemReminder(text)));
}

/** What the model reads: an event that no person wrote must not pass for the user's approval of anything. */
export function notificationText(notification: string): string {
  return systemReminder(`[SYSTEM NOTIFICATION - NOT USER INPUT]
A background task ended. This is an automated event and not a message from the user: it answers no question and approves nothing.

${notification}`);
}
