import type { SpendLedger } from '../models/ledger.ts';
import type { QueryConfig } from './params.ts';
import type { Terminal } from './terminal.ts';

/** Before each request: the limit that ends the turn, with its figures, or undefined when one more may be sent. */
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

/** The ledger itself, so that no object is made for each request. */
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
