import type { SpendLedger } from '../../models/ledger.ts';
import type { CostOf } from '../../models/prices.ts';
import { streamWithRetries } from '../../models/retries.ts';
import type { AssistantBlock, Model, ModelRequest, Usage } from '../../models/types.ts';
import { estimateTokens } from '../../session/compaction.ts';
import type { Clock } from '../../system/clock.ts';
import { addSpent, NOTHING_SPENT, refuseRequest, type Spent } from './spendShare.ts';

export type Question = Omit<ModelRequest, 'signal' | 'maxOutputTokens'> & {
  readonly maxOutputTokens: number;
  /** How many of the first messages the provider has cached, because the turn just sent them. */
  readonly cachedMessages?: number;
};

export type Reply =
  | { readonly type: 'ok'; readonly content: readonly AssistantBlock[]; readonly text: string }
  /** Over its share: nothing was sent. */
  | { readonly type: 'refused'; readonly reason: string }
  | { readonly type: 'failed'; readonly reason: string };

/** One run's access to a model: within its share, recorded in the session's ledger, ended by its signal. */
export interface Asker {
  ask(model: Model, question: Question): Promise<Reply>;
  spent(): Spent;
}

export interface AskerFacts {
  readonly clock: Clock;
  readonly random: () => number;
  readonly ledger: SpendLedger;
  readonly costOf: CostOf;
  readonly maxRetries: number;
  readonly maxTokens: number;
  readonly maxUsd: number;
  readonly signal: AbortSignal;
}

/** Background work gets one more try only. */
const MAX_RETRIES = 1;
const CHARACTERS_PER_TOKEN = 4;

export function createAsker(facts: AskerFacts): Asker {
  let spent = NOTHING_SPENT;
  return {
    spent: () => spent,
    ask: async (model, question) => {
      const { costOf } = facts;
      const refused = refuseRequest({ ...facts, model: model.id, expected: expectedUsage(question), spent });
      if (refused) return { type: 'refused', reason: refused };
      return send(model, question, facts, (usage, durationMs, estimated) => {
        const cost = costOf(model.id, usage);
        spent = addSpent(spent, usage, cost);
        facts.ledger.record({ source: 'background', model: model.id, usage, cost, durationMs, estimated });
      });
    },
  };
}

async function send(
  model: Model,
  { cachedMessages: _cached, ...question }: Question,
  { clock, random, maxRetries, signal }: AskerFacts,
  onUsage: (usage: Usage, durationMs: number, estimated: boolean) => void,
): Promise<Reply> {
  const startedAt = clock.now();
  let content: AssistantBlock[] = [];
  const onBroken = (usage: Usage) => onUsage(usage, clock.now() - startedAt, true);
  const settings = { clock, random, maxRetries: Math.min(maxRetries, MAX_RETRIES), onBroken };
  for await (const event of streamWithRetries(model, { ...question, signal }, settings)) {
    if (event.type === 'failed') return { type: 'failed', reason: event.failure.message };
    if (event.type === 'retry') content = [];
    if (event.type === 'block') content.push(event.block);
    if (event.type === 'finish') onUsage(event.usage, clock.now() - startedAt, false);
  }
  if (signal.aborted) return { type: 'failed', reason: 'interrupted' };
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  return { type: 'ok', content, text: text.trim() };
}

function expectedUsage(question: Question): Usage {
  const { messages, cachedMessages = 0 } = question;
  const front =
    question.system.reduce((sum, part) => sum + part.length, 0) +
    question.tools.reduce((sum, { description, inputSchema }) => sum + description.length + sizeOf(inputSchema), 0);
  const all = estimateTokens(messages, 0);
  const fresh = estimateTokens(messages, cachedMessages);
  const frontTokens = Math.ceil(front / CHARACTERS_PER_TOKEN);
  const cached = cachedMessages > 0;
  return {
    inputTokens: fresh + (cached ? 0 : frontTokens),
    outputTokens: question.maxOutputTokens,
    cacheReadTokens: all - fresh + (cached ? frontTokens : 0),
    cacheWriteTokens: 0,
  };
}

const sizeOf = (schema: object) => JSON.stringify(schema).length;
