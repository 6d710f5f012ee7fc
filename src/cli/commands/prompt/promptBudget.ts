import type { PromptInbox } from '../../../query/prompt/runSession.ts';
import { parseTokenBudget } from '../../../query/stop/tokenBudget.ts';
import { formatTokens } from '../../../system/formatTokens.ts';

/** What a headless session was given to do, and by which way. */
export interface GivenPrompt {
  /** As the model reads it: the argument, then what was piped in. */
  readonly text: string;
  /** The person's own words; undefined when the whole prompt was piped in. */
  readonly argument: string | undefined;
  /** Prompts that come after it. */
  readonly inbox?: PromptInbox;
}

export interface TokenBudget {
  /** Null for none. */
  readonly tokens: number | null;
  /** What was understood and from where, or why nothing was. */
  readonly sentence?: string;
}

/**
 * A token budget makes the agent go on, so only the person sets one: by the flag, or by the first or last words of the
 * argument. What is piped in is data: a line `+500k` of a diff must not cost a single request.
 */
export function decideTokenBudget(flag: number | null, { text, argument }: GivenPrompt): TokenBudget {
  if (flag !== null) return { tokens: flag, sentence: understood(flag, '--token-budget') };
  const asked = parseTokenBudget(argument ?? text);
  if (asked.type === 'none') return { tokens: null };
  if (asked.type === 'unclear')
    return { tokens: null, sentence: notTaken(asked.written, 'the prompt looks like a diff') };
  const { tokens, written, place } = asked;
  if (argument === undefined) return { tokens: null, sentence: notTaken(written, 'piped text sets no budget') };
  return { tokens, sentence: understood(tokens, `the ${place} words of the prompt ("${written}")`) };
}

function understood(tokens: number, source: string): string {
  return `Token budget: ${formatTokens(tokens)} output tokens, from ${source}. An agent that stops earlier is sent on.`;
}

function notTaken(written: string, why: string): string {
  return `No token budget: "${written}" was not taken for one, because ${why}. --token-budget sets one.`;
}
