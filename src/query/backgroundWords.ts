import type { QueryEvent } from './events.ts';
import type { State } from './state.ts';
import type { Turn } from './turn.ts';

/** What hooks that nobody waits for leave for the model. */
export interface BackgroundWords {
  /** Since the last time it was asked. */
  take(): readonly string[];
  /** Resolves when no hook is left that could still wake the agent, or when the signal aborts. */
  wakersEnded(signal: AbortSignal): Promise<void>;
}

export const noBackgroundWords: BackgroundWords = { take: () => [], wakersEnded: async () => {} };

/** Before a request: what came in meanwhile goes into the conversation, hidden. */
export function* deliverWords(turn: Turn, state: State, words: readonly string[]): Generator<QueryEvent, State> {
  const messages = words.map((text) => turn.record(turn.make.user([{ type: 'text', text }], { isMeta: true })));
  yield* messages;
  return { ...state, messages: state.messages.append(...messages) };
}
