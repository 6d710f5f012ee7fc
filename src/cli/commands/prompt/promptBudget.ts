import type { PromptInbox } from '../../../query/prompt/runSession.ts';
import { parseTokenBudget } from '../../../query/stop/tokenBudget.ts';
import { formatTokens } from '../../../system/formatTokens.ts';

/** The prompt of a headless session, and where it came from. */
export interface GivenPrompt {
  /** For the model: the argument, then piped text. */
  readonly text: string;
  /** The user's own words; undefined when the whole prompt was piped in. */
  readonly argument: string | undefined;
  /** Later prompts. */
  readonly inbox?: PromptInbox;
}

export interface TokenBudget {
  /** Null for none. */
  readonly tokens: number | null;
  /** The budget and its source, or why there is none. */
  readonly sentence?: string;
}

/**
 * A token budget makes the agent continue, so only the user sets one: with the flag, or the first or last words of the
 * argument. Piped text is data: a line `+500k` of a diff must not cost a single request.
 */
export function decideTokenBudget(flag: number | null, { text, argument }: GivenPrompt): TokenBudget {
  if (flag !== null) return { tokens: flag, sentence: budgetSentence(flag, '--token-budget') };
  const parsed = parseTokenBudget(argument ?? text);
  if (parsed.type === 'none') return { tokens: null };
  if (parsed.type === 'unclear')
    return { tokens: null, sentence: noBudgetSentence(parsed.written, 'the prompt looks like a diff') };
  const { tokens, written, place } = parsed;
  if (argument === undefined) return { tokens: null, sentence: noBudgetSentence(written, 'piped text sets no budget') };
  return { tokens, sentence: budgetSentence(tokens, `the ${place} words of the prompt ("${written}")`) };
}

function budgetSentence(tokens: number, source: string): string {
  return `Token budget: ${formatTokens(tokens)} output tokens, from ${source}. An agent that stops earlier continues automatically.`;
}

function noBudgetSentence(written: string, why: string): string {
  return `No token budget: "${written}" was ignored, because ${why}. Use --token-budget to set one.`;
}
