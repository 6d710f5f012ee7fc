import type { AskModel, ModelAnswer, Question } from '../../hooks/kinds/prompt.ts';
import type { SpendLedger } from '../../models/ledger.ts';
import type { ResolvedModel } from '../../models/providers.ts';
import { wholeReplyWithin } from '../../models/reservation.ts';
import { type ConversationMessage, type Model, textIn } from '../../models/types.ts';
import { conversationOf } from '../../session/conversation.ts';
import type { ConversationLog } from '../../session/conversationLog.ts';
import { withoutForeignThinking } from '../../session/foreignThinking.ts';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import type { World } from '../../system/world.ts';
import type { GatheredSession } from './gatherSession.ts';

/** What hooks and the work after a turn see of a session. */
export interface SessionFacts {
  readonly gathered: GatheredSession;
  readonly world: World;
  readonly log: ConversationLog;
  readonly ledger: SpendLedger;
}

/** The model of an entry, else the provider's small model, else the session's own. */
export function judgeModel(name: string | undefined, { model, resolveModel }: GatheredSession): ResolvedModel {
  if (name !== undefined) return resolveModel(name);
  const small = model.id.startsWith('anthropic/') ? resolveModel('haiku') : undefined;
  return small?.type === 'ok' ? small : { type: 'ok', model };
}

/** One question of a prompt hook, after the conversation. Its cost counts for the turn. */
export function askHookModel(facts: SessionFacts): AskModel {
  return async (question) => {
    const chosen = judgeModel(question.model, facts.gathered);
    if (chosen.type === 'unknown') return { type: 'failed', message: chosen.message };
    return ask(chosen.model, question, facts);
  };
}

async function ask(model: Model, question: Question, facts: SessionFacts): Promise<ModelAnswer> {
  const { clock } = facts.world;
  const { costOf, config } = facts.gathered;
  const last: ConversationMessage = { role: 'user', content: [{ type: 'text', text: question.prompt }] };
  const conversation = question.withConversation
    ? conversationFor(model, facts, question.subject.agentId)
    : AppendOnlyList.of<ConversationMessage>();
  const request = {
    system: [question.system],
    messages: conversation.append(last),
    tools: [],
    signal: question.signal,
  };
  const reply = await wholeReplyWithin(
    { maxUsd: config.maxBudgetUsd },
    { model, request },
    {
      ...{ ledger: facts.ledger, costOf, maxRetries: config.maxRetries },
      ...{ clock, source: 'hook', random: Math.random },
    },
  );
  if (reply.type === 'ok') return { type: 'ok', text: textIn(reply.content, '') };
  return { type: 'failed', message: reply.type === 'failed' ? reply.failure.message : 'interrupted' };
}

/** The conversation for a judge; another model does not get thinking that was signed for the session's model. */
function conversationFor(judge: Model, { log, gathered }: SessionFacts, agentId: string | undefined) {
  if (judge.id === gathered.model.id) return log.conversation(agentId);
  return conversationOf(AppendOnlyList.of(withoutForeignThinking(log.messages(agentId), judge.id)));
}
