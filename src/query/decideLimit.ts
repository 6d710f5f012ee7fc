import type { SpendLedger } from '../models/ledger.ts';
import type { QueryConfig } from './config.ts';
import type { Terminal } from './terminal.ts';

/** Asked before each request: may one more be sent? The limit that ends the turn is named, with its figures. */
export function decideLimit(
  config: Pick<QueryConfig, 'maxTurns' | 'maxBudgetUsd' | 'maxOutputTokens'>,
  requestsSent: number,
  ledger: Spent,
): Terminal | undefined {
  const spent = budgetLimit(config, ledger);
  if (spent) return spent;
  const { maxTurns } = config;
  if (maxTurns !== undefined && requestsSent >= maxTurns) return { reason: 'max_turns', maxTurns };
  return undefined;
}

/** The ledger itself: a value of its own for each request would be thrown away right after. */
type Spent = Pick<SpendLedger, 'totalUsd' | 'totalOutputTokens'>;

/** Checked after each answer as well: what it cost may leave nothing for the tools it calls. */
export function budgetLimit(
  { maxBudgetUsd, maxOutputTokens }: Pick<QueryConfig, 'maxBudgetUsd' | 'maxOutputTokens'>,
  { totalUsd: spentUsd, totalOutputTokens: outputTokens }: Spent,
): Terminal | undefined {
  if (maxBudgetUsd !== undefined && spentUsd >= maxBudgetUsd)
    return { reason: 'budget_exhausted', spentUsd, maxBudgetUsd };
  if (maxOutputTokens !== undefined && outputTokens >= maxOutputTokens)
    return { reason: 'tokens_exhausted', outputTokens, maxOutputTokens };
  return undefined;
}
