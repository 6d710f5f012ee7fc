import type { HookVerdict } from '../hooks/types.ts';
import type { UserMessage } from '../session/messages.ts';
import type { Turn } from './turn.ts';

/** What hooks add for the model, each as a hidden message of its own. */
export function hookContexts(turn: Turn, { contexts }: HookVerdict): UserMessage[] {
  return contexts.map((text) =>
    turn.make.user([{ type: 'text', text: `<system-reminder>\n${text}\n</system-reminder>` }], { isMeta: true }),
  );
}
