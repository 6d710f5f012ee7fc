import { withoutForeignThinking } from '../../session/foreignThinking.ts';
import type { QueryEvent } from '../events.ts';
import { initialState } from '../state.ts';
import type { PromptEnd, PromptParams } from '../submitPrompt.ts';
import type { Turn } from '../turn.ts';
import { withContext } from '../userContext.ts';
import { compactConversation } from './compactConversation.ts';

/** What follows `/compact` in a prompt, null for nothing; undefined when the prompt is another one. */
export function compactInstructions(prompt: string): string | null | undefined {
  const match = /^\/compact(?:\s+([\s\S]+))?$/.exec(prompt.trim());
  return match ? (match[1]?.trim() ?? null) : undefined;
}

/** `/compact` as a prompt: the conversation so far becomes a summary, and no turn follows. */
export async function* compactPrompt(
  turn: Turn,
  { history, toolUseContext }: Pick<PromptParams, 'history' | 'toolUseContext'>,
  instructions: string | null,
): AsyncGenerator<QueryEvent, PromptEnd> {
  const messages = withoutForeignThinking(history, toolUseContext.model.id);
  const state = initialState(withContext(turn, messages), toolUseContext);
  const compaction = yield* compactConversation(turn, state, { trigger: 'manual', instructions });
  return { reason: 'command_done', message: compaction.type === 'compacted' ? '' : compaction.reason };
}
