import type { QueryConfig } from './config.ts';
import type { Terminal } from './terminal.ts';

/** Asked before each request: may one more be sent? The limit that ends the turn is named, with its figures. */
export function decideLimit(
  config: Pick<QueryConfig, 'maxTurns' | 'maxBudgetUsd'>,
  requestsSent: number,
  spentUsd: number,
): Terminal | undefined {
  const spent = budgetLimit(config, spentUsd);
  if (spent) return spent;
  const { maxTurns } = config;
  if (maxTurns !== undefined && requestsSent >= maxTurns) return { reason: 'max_turns', maxTurns };
  return undefined;
}

/** Checked after each answer as well: what it cost may leave nothing for the tools it calls. */
export function budgetLimit(
  { maxBudgetUsd }: Pick<QueryConfig, 'maxBudgetUsd'>,
  spentUsd: number,
): Terminal | undefined {
  if (maxBudgetUsd === undefined || spentUsd < maxBudgetUsd) return undefined;
  return { reason: 'budget_exhausted', spentUsd, maxBudgetUsd };
}
