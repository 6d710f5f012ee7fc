import { textOf } from '../../../../session/conversation.ts';
import type { Message } from '../../../../session/messages.ts';
import type { Paint } from '../../../output/colors.ts';

/** The end of it: the transcript has the rest. */
const SHOWN_LINES = 60;

/** The conversation of a resumed session. */
export function historyLines(history: readonly Message[], paint: Paint): readonly string[] {
  const lines = history.flatMap((message) => {
    const prompt = promptOf(message);
    if (prompt !== undefined) return ['', ...prompt.split('\n').map((line) => paint('bold', `> ${line}`))];
    return message.type === 'assistant' ? textOf(message).split('\n') : [];
  });
  if (lines.length === 0) return [];
  const left = lines.length - SHOWN_LINES;
  return [...(left > 0 ? [paint('dim', `… ${left} earlier lines`)] : []), ...lines.slice(-SHOWN_LINES), ''];
}

export const promptsIn = (history: readonly Message[]): readonly string[] =>
  history.flatMap((message) => promptOf(message) ?? []);

function promptOf(message: Message): string | undefined {
  if (message.type !== 'user' || message.isMeta) return undefined;
  const { content } = message.message;
  return typeof content === 'string' ? content : undefined;
}
