import type { QueryConfig } from './config.ts';
import type { Terminal } from './terminal.ts';

/** Asked before each request: may one more be sent? The limit that ends the turn is named, with its figures. */
export function decideLimit(
  config: Pick<QueryConfig, 'maxTurns' | 'maxBudgetUsd'>,
  requestsSent: number,
  spentUsd: number,
): Terminal | undefined {
  const { maxTurns, maxBudgetUsd } = config;
  if (maxBudgetUsd !== undefined && spentUsd >= maxBudgetUsd) {
    return { reason: 'budget_exhausted', spentUsd, maxBudgetUsd };
  }
  if (maxTurns !== undefined && requestsSent >= maxTurns) return { reason: 'max_turns', maxTurns };
  return undefined;
}
