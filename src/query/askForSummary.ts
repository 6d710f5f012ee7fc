import { streamWithRetries } from '../models/retries.ts';
import type { ConversationMessage, ModelFailure } from '../models/types.ts';
import { dropOldestThird, summaryRequest } from '../session/compaction.ts';
import { AppendOnlyList } from '../system/appendOnly.ts';
import { asSentence } from '../system/sentence.ts';
import type { State } from './state.ts';
import type { Turn } from './turn.ts';

type Summary = { readonly type: 'ok'; readonly text: string } | { readonly type: 'failed'; readonly reason: string };

export interface SummaryRequest {
  readonly conversation: AppendOnlyList<ConversationMessage>;
  /** What the summary should heed besides; null for nothing. */
  readonly instructions: string | null;
}

/** A conversation that is too long even to be summarised loses its oldest third, at most this often. */
const MAX_TRIMS = 3;

/** Asks the model for a summary with the turn's own prefix, so that the provider's prompt cache is used. */
export async function askForSummary(
  turn: Turn,
  state: State,
  { conversation, instructions }: SummaryRequest,
): Promise<Summary> {
  const text = summaryRequest(instructions);
  const question: ConversationMessage = { role: 'user', content: [{ type: 'text', text }] };
  let messages = conversation.append(question);
  for (let trims = 0; ; trims++) {
    // Another tool choice would lose the provider's cache of the messages; it is only for a model that calls tools anyway.
    const first = await askOnce(turn, state, messages, 'auto');
    const reply = first.type === 'empty' ? await askOnce(turn, state, messages, 'none') : first;
    if (reply.type === 'ok') return reply;
    if (reply.type === 'empty') return { type: 'failed', reason: 'The model answered with an empty summary.' };
    if (!reply.failure?.promptTooLong || trims === MAX_TRIMS) return { type: 'failed', reason: reply.reason };
    const shorter = dropOldestThird(messages.toArray().slice(0, -1));
    if (shorter.length === 0) return { type: 'failed', reason: reply.reason };
    messages = AppendOnlyList.of([...shorter, question]);
  }
}

type OneReply =
  | Extract<Summary, { type: 'ok' }>
  | { type: 'empty' }
  | { type: 'failed'; reason: string; failure?: ModelFailure };

async function askOnce(
  turn: Turn,
  state: State,
  messages: AppendOnlyList<ConversationMessage>,
  toolChoice: 'auto' | 'none',
): Promise<OneReply> {
  const { clock, random, ledger, costOf } = turn.deps;
  const { model } = state.toolUseContext;
  const startedAt = clock.now();
  const request = {
    system: turn.system,
    messages,
    tools: turn.toolDefinitions,
    toolChoice,
    signal: turn.signal,
  } as const;
  let text = '';
  for await (const event of streamWithRetries(model, request, { clock, random, maxRetries: turn.config.maxRetries })) {
    if (event.type === 'failed') {
      return {
        type: 'failed',
        reason: `The summary could not be made: ${asSentence(event.failure.message)}`,
        failure: event.failure,
      };
    }
    if (event.type === 'retry') text = '';
    if (event.type === 'block' && event.block.type === 'text') text += event.block.text;
    if (event.type === 'finish') {
      const durationMs = clock.now() - startedAt;
      ledger.record({
        source: 'compact',
        model: model.id,
        usage: event.usage,
        cost: costOf(model.id, event.usage),
        durationMs,
      });
    }
  }
  if (turn.signal.aborted) return { type: 'failed', reason: 'Interrupted while the summary was made.' };
  return text.trim() ? { type: 'ok', text } : { type: 'empty' };
}
