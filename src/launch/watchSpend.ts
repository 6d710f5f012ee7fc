import type { AgentCommand, Spend, SpendReader, SpendReaderOf } from '../hosts/host.ts';
import { loadPrices } from '../models/prices.ts';
import { formatTokens } from '../system/formatTokens.ts';
import type { LaunchRequest } from './launchRequest.ts';
import { readSpendFile, type SpentLimit } from './spendFile.ts';

export interface SpendWatch {
  push(chunk: string): void;
  /** Null when unknown. */
  total(): Spend | null;
  /** Why the agent may not continue; null while no limit is reached. */
  limit(): string | null;
  readonly notes: readonly string[];
}

export interface SpendFacts {
  readonly command: Pick<AgentCommand, 'spend'>;
  readonly request: Pick<LaunchRequest, 'tokenBudget' | 'maxBudgetUsd'>;
  /** Where our own agent writes what it spends. */
  readonly spendFile: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stop: (reason: string) => void;
}

/** Reads what an agent spends, and ends it at a limit. Our own agent enforces its limits itself. */
export function watchSpend(facts: SpendFacts): SpendWatch {
  const { spend } = facts.command;
  if (spend.in === 'output') return watchOutput(facts, spend.reader);
  return spend.in === 'file' ? watchFile(facts) : UNKNOWN_SPEND;
}

const UNKNOWN_SPEND: SpendWatch = { push: () => {}, total: () => null, limit: () => null, notes: [] };

function watchOutput({ request, env, stop }: SpendFacts, readerOf: SpendReaderOf): SpendWatch {
  const prices = loadPrices(env);
  const spend = readerOf(prices.type === 'ok' ? prices.costOf : () => ({ type: 'unknown' }));
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

/** For an agent that ended itself at a limit: its own, or ours by its own prices. */
function whyItEnded({ overBudget, spend: { usd } }: SpendReader): string | null {
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
      return (spend && describeSpent(limit, spend, request)) ?? OWN_LIMIT[limit];
    },
    notes: [],
  };
}

/** Null for a limit in the agent's own arguments, whose value is not known here. */
function describeSpent(limit: SpentLimit, { outputTokens, usd, estimated }: Spend, request: SpendFacts['request']) {
  const { tokenBudget, maxBudgetUsd } = request;
  const about = estimated ? 'about ' : '';
  if (limit === 'tokens') {
    if (tokenBudget === undefined) return null;
    return `it wrote ${about}${formatTokens(outputTokens)} tokens of the ${formatTokens(tokenBudget)} it had`;
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
  if (tokenBudget !== undefined && spend.outputTokens > tokenBudget) return describeSpent('tokens', spend, request);
  if (maxBudgetUsd !== undefined && spend.usd !== null && spend.usd > maxBudgetUsd)
    return describeSpent('usd', spend, request);
  return null;
}

/** Cents, and two more digits below a dollar: $0.015 must not become $0.02. */
function money(usd: number): string {
  const exact = usd < 1 ? usd.toFixed(4).replace(/0{1,2}$/, '') : usd.toFixed(2);
  return `$${Number(exact) === 0 && usd > 0 ? String(usd) : exact}`;
}
