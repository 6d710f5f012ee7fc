import type { TurnFacts } from '../query/stop/stopWork.ts';
import { type BackgroundTask, endWithout } from './governor/governor.ts';
import { askFork, forkOf } from './snapshot/askFork.ts';

/** A guess at the user's next prompt: to be shown as ghost text and marked as machine-made; never sent by itself. */
export interface PromptSuggestion {
  readonly text: string;
  readonly sessionId: string;
  readonly suggestedAt: number;
}

const QUESTION = `<system-reminder>
This is not from the user and nothing of it becomes part of the conversation. Do not call tools; they would not run.

What will the user most likely type next? Write only that, as they would write it: one line, at most twelve words, no quotes, nothing before or after it. If it is not fairly clear, or they would only say thanks, write NONE.
</system-reminder>`;

const MAX_OUTPUT_TOKENS = 60;
const MAX_CHARACTERS = 120;

export function promptSuggestion(turn: TurnFacts, suggested: (text: string) => void): BackgroundTask {
  return {
    kind: 'prompt_suggestion',
    run: async ({ asker, signal }) => {
      const reply = await askFork(asker, turn.snapshot.model, {
        base: forkOf(turn),
        question: QUESTION,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
      });
      if (reply.type !== 'ok') return endWithout(reply);
      const text = usableSuggestion(reply.text);
      if (text === undefined || signal.aborted) return { type: 'ran', reason: 'nothing clear to suggest' };
      suggested(text);
      return { type: 'ran', reason: `suggested “${text}”` };
    },
  };
}

/** Undefined when the model had no suggestion, or wrote more than a person would type. */
function usableSuggestion(answer: string): string | undefined {
  const text = answer
    .trim()
    .replace(/^["'“](.*)["'”]$/s, '$1')
    .trim();
  if (text === '' || /^none\.?$/i.test(text)) return undefined;
  return text.includes('\n') || text.length > MAX_CHARACTERS ? undefined : text;
}
