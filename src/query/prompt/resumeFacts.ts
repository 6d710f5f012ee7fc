import type { CostOf } from '../../models/prices.ts';
import { NO_USAGE } from '../../models/types.ts';
import type { AssistantMessage, Message } from '../../session/messages.ts';

/** What a hook is told of a session that continues, as Claude Code names it. */
export interface ResumeFacts {
  readonly seconds_since_last_response: number;
  readonly context_tokens: number;
  readonly prompt_cache_likely_expired: boolean;
  /** Absent when the price of the model is unknown. */
  readonly estimated_cache_write_usd?: number;
}

/** How long a provider keeps the cache of a prompt. */
const CACHE_SECONDS = 5 * 60;

/** Undefined for a conversation without an answer. */
export function resumeFacts(
  history: readonly Message[],
  { now, model, costOf }: { readonly now: number; readonly model: string; readonly costOf: CostOf },
): ResumeFacts | undefined {
  const last = history.findLast((one): one is AssistantMessage => one.type === 'assistant' && !one.apiError);
  if (last === undefined) return undefined;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = last.message.usage;
  const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
  const seconds = Math.max(0, Math.floor((now - Date.parse(last.timestamp)) / 1000));
  const cost = costOf(model, { ...NO_USAGE, cacheWriteTokens: tokens });
  return {
    seconds_since_last_response: seconds,
    context_tokens: tokens,
    prompt_cache_likely_expired: seconds > CACHE_SECONDS,
    ...(cost.type === 'usd' ? { estimated_cache_write_usd: cost.usd } : {}),
  };
}
