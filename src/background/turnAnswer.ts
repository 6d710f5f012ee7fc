import type { AssistantContent } from '../models/types.ts';
import type { TurnFacts } from '../query/stop/stopWork.ts';

/** The answer that the turn's last request got: what a fork sees before its question. */
export function answerOf({ assistantMessages }: Pick<TurnFacts, 'assistantMessages'>): AssistantContent | undefined {
  const last = assistantMessages.at(-1);
  return last && !last.apiError ? { role: 'assistant', content: last.message.content } : undefined;
}

/** The person's own conversation, not a helper's: what follows a turn follows only these. */
export function isMainThread({ querySource, agentId }: Pick<TurnFacts, 'querySource' | 'agentId'>): boolean {
  return agentId === undefined && (querySource === 'repl_main_thread' || querySource === 'sdk');
}
