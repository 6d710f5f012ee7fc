import { SpendLedger } from '../../models/ledger.ts';
import { type CostOf, loadPrices } from '../../models/prices.ts';
import { resolveModel } from '../../models/providers.ts';
import { maxRetries, wholeReply } from '../../models/retries.ts';
import { type ConversationMessage, type Model, textIn } from '../../models/types.ts';
import type { AskJudgeModel, JudgeReply, ModelQuestion } from '../../stop/verify/judge/askJudge.ts';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import type { World } from '../../system/world.ts';

/** A try has a time limit of its own. */
const MOST_RETRIES = 4;

/** Asks with the keys of this process, which the children of a verifier do not get. */
export function judgeModel(world: Pick<World, 'env' | 'clock'>): AskJudgeModel {
  return async (question) => {
    const { env } = world;
    const name = question.model ?? (env.STOPGATE_JUDGE_MODEL || env.STOPGATE_MODEL || 'default');
    // its file may be one that the agent can write
    if (name.startsWith('scripted:')) return failed(`a scripted model cannot judge (${name})`);
    const prices = loadPrices(env);
    if (prices.type === 'bad') return failed(prices.message);
    const resolved = resolveModel(name, env);
    if (resolved.type === 'unknown') return failed(resolved.message);
    return ask(question, resolved.model, { ...world, costOf: prices.costOf });
  };
}

const failed = (reason: string): JudgeReply => ({ type: 'failed', reason, isFinal: true });

async function ask(
  { system, prompt, signal, onSpend }: ModelQuestion,
  model: Model,
  { env, clock, costOf }: Pick<World, 'env' | 'clock'> & { readonly costOf: CostOf },
): Promise<JudgeReply> {
  const last: ConversationMessage = { role: 'user', content: [{ type: 'text', text: prompt }] };
  const request = { system: [system], messages: AppendOnlyList.of<ConversationMessage>([last]), tools: [], signal };
  const ledger = new SpendLedger();
  const reply = await wholeReply(model, request, {
    ...{ clock, ledger, costOf, source: 'judge', random: Math.random },
    maxRetries: Math.min(MOST_RETRIES, maxRetries(env).maxRetries),
  });
  const { usage, usd, requests, unpricedRequests } = ledger.total;
  onSpend({
    model: model.id,
    inputTokens: usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens,
    outputTokens: usage.outputTokens,
    requests,
    usd: unpricedRequests > 0 ? null : usd,
  });
  if (reply.type === 'aborted') return { type: 'failed', reason: 'interrupted', isFinal: false };
  if (reply.type === 'failed') {
    const { message, retryable } = reply.failure;
    return { type: 'failed', reason: `the model failed: ${message.replace(/\.$/, '')}`, isFinal: !retryable };
  }
  if (reply.stopReason === 'refusal') return failed('the model refused to answer');
  return { type: 'answered', text: textIn(reply.content, '') };
}
