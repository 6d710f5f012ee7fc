import { type ModelSpend, type SpendEntry, SpendLedger } from '../../models/ledger.ts';
import type { CostOf } from '../../models/prices.ts';
import { type Asking, wholeReply } from '../../models/retries.ts';
import {
  type AssistantBlock,
  type Model,
  type ModelRequest,
  textIn,
  totalTokens,
  type Usage,
} from '../../models/types.ts';
import { estimateTokens } from '../../session/compaction.ts';
import { AppendOnlyList } from '../../system/appendOnly.ts';

export type Question = Omit<ModelRequest, 'signal' | 'maxOutputTokens'> & {
  readonly maxOutputTokens: number;
  /** How many of the first messages the provider has cached, because the turn just sent them. */
  readonly cachedMessages?: number;
};

/** A question without a conversation. */
export const plainQuestion = (system: string, text: string, maxOutputTokens: number): Question => ({
  system: [system],
  tools: [],
  messages: AppendOnlyList.of([{ role: 'user', content: [{ type: 'text', text }] }]),
  maxOutputTokens,
});

export type Reply =
  | { readonly type: 'ok'; readonly content: readonly AssistantBlock[]; readonly text: string }
  /** Over its share: nothing was sent. */
  | { readonly type: 'refused'; readonly reason: string }
  | { readonly type: 'failed'; readonly reason: string };

/** One run's access to a model: within its share, recorded in the session's ledger, ended by its signal. */
export interface Asker {
  ask(model: Model, question: Question): Promise<Reply>;
  /** What this run has spent. */
  readonly spent: SpendLedger;
}

export interface AskerFacts extends Omit<Asking, 'source' | 'isSpent'> {
  readonly maxTokens: number;
  readonly maxUsd: number;
  readonly signal: AbortSignal;
}

/** Background work gets one more try only. */
const MAX_RETRIES = 1;
const CHARACTERS_PER_TOKEN = 4;

export function createAsker(facts: AskerFacts): Asker {
  const { signal, ledger, maxRetries } = facts;
  const spent = new SpendLedger();
  const record = (entry: SpendEntry) => {
    spent.record(entry);
    ledger.record(entry);
  };
  const asking = {
    ...facts,
    source: 'background',
    maxRetries: Math.min(maxRetries, MAX_RETRIES),
    ledger: { record },
  } as const;
  return {
    spent,
    ask: async (model, { cachedMessages, ...question }) => {
      const expected = expectedUsage(question, cachedMessages);
      const refused = refuseRequest({ ...facts, model: model.id, expected, spent: spent.total });
      if (refused) return { type: 'refused', reason: refused };
      const reply = await wholeReply(model, { ...question, signal }, asking);
      if (reply.type === 'failed') return { type: 'failed', reason: reply.failure.message };
      if (reply.type === 'aborted' || signal.aborted) return { type: 'failed', reason: 'interrupted' };
      return { type: 'ok', content: reply.content, text: textIn(reply.content).trim() };
    },
  };
}

function expectedUsage(question: Question, cachedMessages = 0): Usage {
  const { messages, system, tools, maxOutputTokens } = question;
  const front =
    system.reduce((sum, part) => sum + part.length, 0) +
    tools.reduce(
      (sum, { description, inputSchema }) => sum + description.length + JSON.stringify(inputSchema).length,
      0,
    );
  const fresh = estimateTokens(messages, cachedMessages);
  const frontTokens = Math.ceil(front / CHARACTERS_PER_TOKEN);
  const cached = cachedMessages > 0;
  return {
    inputTokens: fresh + (cached ? 0 : frontTokens),
    outputTokens: maxOutputTokens,
    cacheReadTokens: estimateTokens(messages, 0) - fresh + (cached ? frontTokens : 0),
    cacheWriteTokens: 0,
  };
}

export interface ReservationFacts {
  readonly model: string;
  /** The estimate for the request, with the longest answer. */
  readonly expected: Usage;
  readonly spent: Pick<ModelSpend, 'usage' | 'usd'>;
  readonly maxTokens: number;
  readonly maxUsd: number;
  readonly costOf: CostOf;
}

/** Why a request may not be made; undefined when it may. Checked before each request. */
export function refuseRequest(facts: ReservationFacts): string | undefined {
  const { expected, spent, maxTokens, maxUsd } = facts;
  const tokens = totalTokens(spent.usage) + totalTokens(expected);
  if (tokens > maxTokens) {
    return `it would take about ${tokens} tokens and may take ${maxTokens} (STOPGATE_BACKGROUND_MAX_TOKENS)`;
  }
  const cost = facts.costOf(facts.model, expected);
  if (cost.type === 'unknown') return undefined;
  const usd = spent.usd + cost.usd;
  if (usd <= maxUsd) return undefined;
  return `it would cost about $${usd.toFixed(4)} and may cost $${maxUsd.toFixed(4)} (STOPGATE_BACKGROUND_MAX_USD, or what is left of the session's budget)`;
}
