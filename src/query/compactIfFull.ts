import { estimateTokens, MAX_AUTO_COMPACT_FAILURES, shouldAutoCompact } from '../session/compaction.ts';
import { conversationOf } from '../session/conversation.ts';
import { compactConversation } from './compactConversation.ts';
import type { QueryEvent } from './events.ts';
import type { State } from './state.ts';
import { atOnce, type Telling } from './telling.ts';
import type { Turn } from './turn.ts';

/** Before a request: is there still room? A failed compaction is said and the turn goes on with what it has. */
export function compactIfFull(turn: Turn, state: State): Telling<State> {
  const { countedTokens, failures } = state.autoCompactTracking;
  const { contextWindow } = state.toolUseContext.model;
  if (!turn.config.autoCompact) return atOnce(state);
  const usedTokens = countedTokens + uncountedTokens(state);
  const full = shouldAutoCompact({ usedTokens, contextWindow, failures });
  return full ? compact(turn, state, usedTokens / contextWindow) : atOnce(state);
}

async function* compact(turn: Turn, state: State, share: number): AsyncGenerator<QueryEvent, State> {
  const { failures } = state.autoCompactTracking;
  const compaction = yield* compactConversation(turn, state, 'auto');
  if (compaction.type === 'compacted') return compaction.state;
  if (turn.signal.aborted) return state;
  const left = MAX_AUTO_COMPACT_FAILURES - failures - 1;
  const next = left > 0 ? `${left} more tries.` : 'It stays off for this session.';
  const text = `The conversation fills ${Math.round(100 * share)} % of the context window and was not compacted: ${compaction.reason} ${next}`;
  yield turn.record(turn.make.system('informational', text, { level: 'warning' }));
  return { ...state, autoCompactTracking: { ...state.autoCompactTracking, failures: failures + 1 } };
}

/** What was added since the provider last counted. Messages of the engine that no model sees are not counted. */
function uncountedTokens(state: State): number {
  const conversation = conversationOf(state.messages);
  return estimateTokens(conversation, Math.min(state.autoCompactTracking.countedMessages, conversation.length));
}
