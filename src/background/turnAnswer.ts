import type { AssistantContent } from '../models/types.ts';
import type { TurnFacts } from '../query/stop/stopWork.ts';

/** The answer to the turn's last request, for a fork. */
export function answerOf({ assistantMessages }: Pick<TurnFacts, 'assistantMessages'>): AssistantContent | undefined {
  const last = assistantMessages.at(-1);
  return last && !last.apiError ? { role: 'assistant', content: last.message.content } : undefined;
}

/** Whether this is the user's own conversation, not a subagent's; only then work follows a turn. */
export function isMainThread({ querySource, agentId }: Pick<TurnFacts, 'querySource' | 'agentId'>): boolean {
  return agentId === undefined && (querySource === 'repl_main_thread' || querySource === 'sdk');
}
