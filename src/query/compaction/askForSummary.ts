import { wholeReplyWithin } from '../../models/reservation.ts';
import { type ConversationMessage, type ModelFailure, textIn } from '../../models/types.ts';
import { summaryRequest } from '../../session/compaction.ts';
import { type Shortened, shortenConversation } from '../../session/shortenConversation.ts';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import { asSentence } from '../../system/sentence.ts';
import { budgetLimit } from '../decideLimit.ts';
import type { State } from '../state.ts';
import type { Turn } from '../turn.ts';

type Left = Pick<Shortened, 'droppedRounds' | 'cut'>;

type Summary =
  /** `left` is what the summary could not be made of. */
  | { readonly type: 'ok'; readonly text: string; readonly left?: Left }
  | { readonly type: 'failed'; readonly reason: string };

export interface SummaryRequest {
  readonly conversation: AppendOnlyList<ConversationMessage>;
  /** Additional instructions for the summary; null for none. */
  readonly instructions: string | null;
}

/** A conversation that is too long to be summarized is shortened to these shares of itself, one after the other. */
const SHARES = [0.75, 0.5, 0.25, 0.12, 0.05, 0.02] as const;

/** Asks the model for a summary with the turn's own prefix, so that the provider's prompt cache is used. */
export async function askForSummary(
  turn: Turn,
  state: State,
  { conversation, instructions }: SummaryRequest,
): Promise<Summary> {
  const text = summaryRequest(instructions);
  const question: ConversationMessage = { role: 'user', content: [{ type: 'text', text }] };
  let reply = await askTwice(turn, state, conversation.append(question));
  let left: Left | undefined;
  const whole = conversation.toArray();
  for (const share of sharesFor(reply)) {
    if (!isTooLong(reply)) break;
    const { messages, ...lost } = shortenConversation(whole, share);
    left = lost;
    reply = await askTwice(turn, state, AppendOnlyList.of([...messages, question]));
  }
  if (reply.type === 'ok') return left ? { ...reply, left } : reply;
  if (reply.type === 'empty') return { type: 'failed', reason: 'The model answered with an empty summary.' };
  return { type: 'failed', reason: reply.reason };
}

const isTooLong = (reply: OneReply): boolean => reply.type === 'failed' && reply.failure?.promptTooLong === true;

/** A provider that reports both lengths saves attempts that would fail. */
function sharesFor(reply: OneReply): readonly number[] {
  const lengths = reply.type === 'failed' ? /(\d+) tokens > (\d+)/.exec(reply.reason) : null;
  const fits = lengths ? (0.9 * Number(lengths[2])) / Number(lengths[1]) : 1;
  return SHARES.filter((share) => share <= fits || share === SHARES.at(-1));
}

/** Another tool choice would lose the provider's cache of the messages; it is only for a model that calls tools anyway. */
async function askTwice(turn: Turn, state: State, messages: AppendOnlyList<ConversationMessage>): Promise<OneReply> {
  const first = await askOnce(turn, state, messages, 'auto');
  return first.type === 'empty' ? askOnce(turn, state, messages, 'none') : first;
}

type OneReply =
  | { readonly type: 'ok'; readonly text: string }
  | { readonly type: 'empty' }
  | { readonly type: 'failed'; readonly reason: string; readonly failure?: ModelFailure };

async function askOnce(
  turn: Turn,
  state: State,
  messages: AppendOnlyList<ConversationMessage>,
  toolChoice: 'auto' | 'none',
): Promise<OneReply> {
  const { system, toolDefinitions: tools, signal, deps, config } = turn;
  const reply = await wholeReplyWithin(
    { maxUsd: config.maxBudgetUsd },
    { model: state.toolUseContext.model, request: { system, messages, tools, toolChoice, signal } },
    {
      ...deps,
      source: 'compact',
      maxRetries: config.maxRetries,
      isSpent: () => budgetLimit(config, deps.ledger) !== undefined,
    },
  );
  if (reply.type === 'failed') {
    const { failure } = reply;
    return { type: 'failed', reason: `The summary could not be made: ${asSentence(failure.message)}`, failure };
  }
  if (reply.type === 'aborted' || signal.aborted)
    return { type: 'failed', reason: 'Interrupted while the summary was made.' };
  // a refused summary would replace the whole conversation
  if (reply.stopReason === 'refusal')
    return { type: 'failed', reason: "The model's safety classifier stopped the summary." };
  const text = textIn(reply.content, '');
  return text.trim() ? { type: 'ok', text } : { type: 'empty' };
}
