import type { LaunchRequest } from '../cli/commands/launch/launchRequest.ts';
import { tokensInWords } from '../cli/output/durations.ts';
import type { AgentCommand } from '../hosts/agentCommand.ts';
import { ClaudeSpend, type Spend } from '../hosts/claudeCode/claudeSpend.ts';
import { loadPrices } from '../models/prices.ts';
import { readSpendFile, type SpentLimit } from './spendFile.ts';

export interface SpendWatch {
  push(chunk: string): void;
  /** Null when it cannot be known. */
  total(): Spend | null;
  /** Why the agent may not go on, when a limit is used up. */
  limit(): string | null;
  readonly notes: readonly string[];
}

export interface SpendFacts {
  readonly command: Pick<AgentCommand, 'spendIn'>;
  readonly request: Pick<LaunchRequest, 'tokenBudget' | 'maxBudgetUsd'>;
  /** Where our own agent writes what it spends. */
  readonly spendFile: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stop: (reason: string) => void;
}

/** Reads what an agent spends, and ends one that prints it once a limit is used up. Our own agent holds its limits itself. */
export const watchSpend = (facts: SpendFacts): SpendWatch => WATCHES[facts.command.spendIn](facts);

const WATCHES: { readonly [Place in AgentCommand['spendIn']]: (facts: SpendFacts) => SpendWatch } = {
  output: watchOutput,
  file: watchFile,
  nowhere: () => ({ push: () => {}, total: () => null, limit: () => null, notes: [] }),
};

function watchOutput({ request, env, stop }: SpendFacts): SpendWatch {
  const prices = loadPrices(env);
  const spend = new ClaudeSpend(prices.type === 'ok' ? prices.costOf : () => ({ type: 'unknown' }));
  return {
    push: (chunk) => {
      if (!spend.push(chunk)) return;
      const reason = whyTooMuch(spend.spend, request);
      if (reason !== null) stop(reason);
    },
    total: () => spend.spend,
    limit: () => whyTooMuch(spend.spend, request) ?? whyItEnded(spend),
    notes: prices.type === 'bad' ? [prices.message] : [],
  };
}

/** Claude Code ended itself: at its own limit, or by another price than ours. */
function whyItEnded({ overBudget, spend: { usd } }: ClaudeSpend): string | null {
  if (overBudget === undefined) return null;
  const [, max] = /\$([\d.]+)/.exec(overBudget) ?? [];
  return `it spent ${usd === null ? 'all' : money(usd)} of the ${max === undefined ? 'money' : money(Number(max))} it had`;
}

function watchFile({ request, spendFile }: SpendFacts): SpendWatch {
  return {
    push: () => {},
    total: () => readSpendFile(spendFile).spend,
    limit: () => {
      const { spend, limit } = readSpendFile(spendFile);
      if (limit === null) return null;
      return (spend && spentWords(limit, spend, request)) ?? OWN_LIMIT[limit];
    },
    notes: [],
  };
}

/** Null for a limit among the agent's own words, whose figure only it knows. */
function spentWords(limit: SpentLimit, { outputTokens, usd, estimated }: Spend, request: SpendFacts['request']) {
  const { tokenBudget, maxBudgetUsd } = request;
  const about = estimated ? 'about ' : '';
  if (limit === 'tokens') {
    if (tokenBudget === undefined) return null;
    return `it wrote ${about}${tokensInWords(outputTokens)} tokens of the ${tokensInWords(tokenBudget)} it had`;
  }
  if (maxBudgetUsd === undefined || usd === null) return null;
  return `it spent ${about}${money(usd)} of the ${money(maxBudgetUsd)} it had`;
}

const OWN_LIMIT: { readonly [Limit in SpentLimit]: string } = {
  usd: 'it spent all of its own --max-budget-usd',
  tokens: 'it wrote all tokens of its own --token-limit',
};

export function whyTooMuch(spend: Spend, request: SpendFacts['request']): string | null {
  const { tokenBudget, maxBudgetUsd } = request;
  if (tokenBudget !== undefined && spend.outputTokens > tokenBudget) return spentWords('tokens', spend, request);
  if (maxBudgetUsd !== undefined && spend.usd !== null && spend.usd > maxBudgetUsd)
    return spentWords('usd', spend, request);
  return null;
}

/** Cents, and two more figures for less than a dollar: "$0.02 of the $0.01" would not be true of $0.015. */
function money(usd: number): string {
  const exact = usd < 1 ? usd.toFixed(4).replace(/0{1,2}$/, '') : usd.toFixed(2);
  return `$${Number(exact) === 0 && usd > 0 ? String(usd) : exact}`;
}
