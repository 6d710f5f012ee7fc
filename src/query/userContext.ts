import type { UserMessage } from '../session/messages.ts';
import type { Turn } from './turn.ts';

/** The context as a first, hidden message. It leads every request, so that what follows it can be cached. */
export function userContextMessages(turn: Pick<Turn, 'make' | 'userContext'>): UserMessage[] {
  const entries = Object.entries(turn.userContext).filter(([, text]) => text !== '');
  if (entries.length === 0) return [];
  const text = entries.map(([name, value]) => `# ${name}\n${value}`).join('\n\n');
  const content = `<system-reminder>\nContext for this session. It may or may not matter to the task at hand.\n\n${text}\n</system-reminder>`;
  return [turn.make.user([{ type: 'text', text: content }], { isMeta: true })];
}
