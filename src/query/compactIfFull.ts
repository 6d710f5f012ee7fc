import { estimateTokens, MAX_AUTO_COMPACT_FAILURES, shouldAutoCompact } from '../session/compaction.ts';
import { conversationOf } from '../session/conversation.ts';
import { AUTO_COMPACTION, compactConversation } from './compactConversation.ts';
import type { QueryEvent } from './events.ts';
import type { State } from './state.ts';
import type { Turn } from './turn.ts';

/** Before a request: is there still room? */
export function isFull(turn: Turn, state: State): boolean {
  if (!turn.config.autoCompact) return false;
  const { failures } = state.autoCompactTracking;
  const { contextWindow } = state.toolUseContext.model;
  return shouldAutoCompact({ usedTokens: usedTokens(state), contextWindow, failures });
}

/** Makes room. A failed compaction is said and the turn goes on with what it has. */
export async function* compactFull(turn: Turn, state: State): AsyncGenerator<QueryEvent, State> {
  const { failures } = state.autoCompactTracking;
  const compaction = yield* compactConversation(turn, state, AUTO_COMPACTION);
  if (compaction.type === 'compacted') return compaction.state;
  if (turn.signal.aborted) return state;
  const left = MAX_AUTO_COMPACT_FAILURES - failures - 1;
  const next = left > 0 ? `${left} more tries.` : 'It stays off for this session.';
  const text = `The conversation fills ${Math.round((100 * usedTokens(state)) / state.toolUseContext.model.contextWindow)} % of the context window and was not compacted: ${compaction.reason} ${next}`;
  yield turn.record(turn.make.system('informational', text, { level: 'warning' }));
  return { ...state, autoCompactTracking: { ...state.autoCompactTracking, failures: failures + 1 } };
}

/** What the provider counted, and what was added since; messages that no model sees do not count. */
function usedTokens(state: State): number {
  const { countedTokens, countedMessages } = state.autoCompactTracking;
  const conversation = conversationOf(state.messages);
  return countedTokens + estimateTokens(conversation, Math.min(countedMessages, conversation.length));
}
