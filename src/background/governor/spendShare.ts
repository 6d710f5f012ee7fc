import type { Cost } from '../../models/ledger.ts';
import type { CostOf } from '../../models/prices.ts';
import { addUsage, NO_USAGE, type Usage } from '../../models/types.ts';

/** Of one run so far. */
export interface Spent {
  readonly requests: number;
  readonly usage: Usage;
  readonly usd: number;
  readonly unpriced: boolean;
}

export const NOTHING_SPENT: Spent = { requests: 0, usage: NO_USAGE, usd: 0, unpriced: false };

export function allTokens(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

export function addSpent(spent: Spent, usage: Usage, cost: Cost): Spent {
  return {
    requests: spent.requests + 1,
    usage: addUsage(spent.usage, usage),
    usd: spent.usd + (cost.type === 'usd' ? cost.usd : 0),
    unpriced: spent.unpriced || cost.type === 'unknown',
  };
}

export interface ReservationFacts {
  readonly model: string;
  /** The estimate for the request, with the longest answer. */
  readonly expected: Usage;
  readonly spent: Spent;
  readonly maxTokens: number;
  readonly maxUsd: number;
  readonly costOf: CostOf;
}

/** Why a request may not be made; undefined when it may. Checked before each request. */
export function refuseRequest(facts: ReservationFacts): string | undefined {
  const { expected, spent, maxTokens, maxUsd } = facts;
  const tokens = allTokens(spent.usage) + allTokens(expected);
  if (tokens > maxTokens) {
    return `it would take about ${tokens} tokens and may take ${maxTokens} (STOPGATE_BACKGROUND_MAX_TOKENS)`;
  }
  const cost = facts.costOf(facts.model, expected);
  if (cost.type === 'unknown') return undefined;
  const usd = spent.usd + cost.usd;
  if (usd <= maxUsd) return undefined;
  return `it would cost about $${usd.toFixed(4)} and may cost $${maxUsd.toFixed(4)} (STOPGATE_BACKGROUND_MAX_USD, or what is left of the session's budget)`;
}
