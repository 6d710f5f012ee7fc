import type { AssistantMessage } from '../session/messages.ts';
import type { State } from './state.ts';

/** Measured: after this many rounds of tools without a word, and again after as many. */
const SILENT_ROUNDS = 5;

const REMINDER =
  "The user hasn't heard from you in a while. As you continue, keep them updated when there's something to tell — a finding, a change of plan.";

export interface Silence {
  readonly silentRounds: number;
  /** What the model is reminded of; empty most of the time. */
  readonly reminders: readonly string[];
}

/** Counts rounds whose answer had no text. A subagent has no person who waits to hear from it. */
export function countSilence(
  { silentRounds, toolUseContext }: Pick<State, 'silentRounds' | 'toolUseContext'>,
  { message }: AssistantMessage,
): Silence {
  if (toolUseContext.agentId !== undefined) return { silentRounds: 0, reminders: [] };
  const speaks = message.content.some((block) => block.type === 'text' && block.text.trim() !== '');
  const rounds = speaks ? 0 : silentRounds + 1;
  return rounds < SILENT_ROUNDS ? { silentRounds: rounds, reminders: [] } : { silentRounds: 0, reminders: [REMINDER] };
}
