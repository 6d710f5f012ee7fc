import { loadPrices } from '../../models/prices.ts';
import { tokensInWords } from '../output/durations.ts';
import type { AgentCommand } from './agentCommand.ts';
import { ClaudeSpend, type Spend } from './claudeSpend.ts';
import type { LaunchRequest } from './launchRequest.ts';

export interface SpendWatch {
  push(chunk: string): void;
  /** Null when the agent does not tell. */
  total(): Spend | null;
  readonly notes: readonly string[];
}

export interface SpendFacts {
  readonly command: AgentCommand;
  readonly request: Pick<LaunchRequest, 'tokenBudget' | 'maxBudgetUsd'>;
  readonly env: Readonly<Record<string, string>>;
  readonly stop: (reason: string) => void;
}

/** Ends an agent whose stream says that it has spent what it may. Our own agent holds its limits itself. */
export function watchSpend({ command, request, env, stop }: SpendFacts): SpendWatch {
  const { tokenBudget, maxBudgetUsd } = request;
  const wanted = command.name === 'claude' && (tokenBudget !== undefined || maxBudgetUsd !== undefined);
  if (!command.spendsInStream) {
    const note = 'what it spends is not seen, because its output is not stream-json; the limits were not watched';
    return { push: () => {}, total: () => null, notes: wanted ? [note] : [] };
  }
  const prices = loadPrices(env);
  const spend = new ClaudeSpend(prices.type === 'ok' ? prices.costOf : () => ({ type: 'unknown' }));
  return {
    push: (chunk) => {
      if (!spend.push(chunk)) return;
      const reason = whyTooMuch(spend.spend, request);
      if (reason !== null) stop(reason);
    },
    total: () => spend.spend,
    notes: prices.type === 'bad' ? [prices.message] : [],
  };
}

export function whyTooMuch(
  { outputTokens, usd, estimated }: Spend,
  { tokenBudget, maxBudgetUsd }: SpendFacts['request'],
): string | null {
  if (tokenBudget !== undefined && outputTokens > tokenBudget) {
    return `it wrote ${estimated ? 'about ' : ''}${tokensInWords(outputTokens)} tokens of the ${tokensInWords(tokenBudget)} it had`;
  }
  if (maxBudgetUsd !== undefined && usd !== null && usd > maxBudgetUsd) {
    return `it spent ${estimated ? 'about ' : ''}$${usd.toFixed(2)} of the $${maxBudgetUsd.toFixed(2)} it had`;
  }
  return null;
}
