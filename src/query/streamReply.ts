import { type RetryEvent, streamWithRetries } from '../models/retries.ts';
import { type AssistantBlock, type ModelRequest, NO_USAGE, type ToolUseBlock } from '../models/types.ts';
import { conversationOf } from '../session/conversation.ts';
import type { AssistantMessage } from '../session/messages.ts';
import { asSentence } from '../system/sentence.ts';
import type { Reply } from './decideNextStep.ts';
import type { QueryEvent } from './events.ts';
import type { State } from './state.ts';
import type { Turn } from './turn.ts';

/** One request to the model, retries inside. Pieces are told as they come; the whole message is told by the step. */
export async function* streamReply(turn: Turn, state: State): AsyncGenerator<QueryEvent, Reply> {
  const { clock, random } = turn.deps;
  const { model } = state.toolUseContext;
  yield { type: 'stream_request_start', turnCount: state.turnCount + 1 };
  if (state.pendingToolUseSummary) yield { type: 'tool_use_summary', summary: state.pendingToolUseSummary };

  const startedAt = clock.now();
  let partial = newPartial(turn);
  const options = { clock, random, maxRetries: turn.config.maxRetries };
  for await (const event of streamWithRetries(model, requestFor(turn, state), options)) {
    if (event.type === 'block') {
      partial.blocks.push(event.block);
    } else if (event.type === 'start') {
      partial = { ...partial, id: event.id ?? partial.id, model: event.model ?? model.id };
    } else if (event.type === 'finish') {
      recordSpend(turn, state, event.usage, clock.now() - startedAt);
      const message = wholeMessage(turn, partial, event);
      return { type: 'answered', message, toolCalls: message.message.content.filter(isToolUse) };
    } else if (event.type === 'failed') {
      if (partial.told) yield tombstone(partial);
      return { type: 'failed', failure: event.failure };
    } else if (event.type === 'retry') {
      if (partial.told) yield tombstone(partial);
      yield turn.record(retryMessage(turn, event));
      partial = newPartial(turn);
    } else {
      partial.told = true;
      yield { type: 'stream_event', messageUuid: partial.uuid, event };
    }
  }
  // Only an abort ends the stream without a last word.
  if (partial.told) yield tombstone(partial);
  return { type: 'aborted' };
}

interface Partial {
  readonly uuid: string;
  readonly id: string;
  readonly model: string;
  readonly blocks: AssistantBlock[];
  /** Some of it was shown, so taking it back must be shown too. */
  told: boolean;
}

function newPartial(turn: Turn): Partial {
  const uuid = turn.deps.ids.uuid();
  return { uuid, id: `msg_${uuid}`, model: '', blocks: [], told: false };
}

function requestFor(turn: Turn, state: State): ModelRequest {
  return {
    system: turn.system,
    messages: conversationOf(state.messages),
    tools: turn.toolDefinitions,
    ...(state.maxOutputTokensOverride ? { maxOutputTokens: state.maxOutputTokensOverride } : {}),
    signal: turn.signal,
  };
}

function wholeMessage(
  turn: Turn,
  partial: Partial,
  end: { stopReason: AssistantMessage['message']['stop_reason']; usage: AssistantMessage['message']['usage'] },
): AssistantMessage {
  const message = turn.make.assistant({
    id: partial.id,
    role: 'assistant',
    model: partial.model,
    content: partial.blocks,
    stop_reason: end.stopReason,
    usage: end.usage ?? NO_USAGE,
  });
  return { ...message, uuid: partial.uuid };
}

function recordSpend(turn: Turn, state: State, usage: AssistantMessage['message']['usage'], durationMs: number): void {
  const model = state.toolUseContext.model.id;
  const source = state.toolUseContext.agentId ? 'subagent' : 'turn';
  turn.deps.ledger.record({ source, model, usage, cost: turn.deps.costOf(model, usage), durationMs });
}

function retryMessage(turn: Turn, retry: RetryEvent) {
  const { attempt, maxRetries, delayMs, failure } = retry;
  const wait = delayMs < 1000 ? `${Math.round(delayMs)} ms` : `${(delayMs / 1000).toFixed(1)} s`;
  return turn.make.system(
    'api_retry',
    `${asSentence(failure.message)} Trying again in ${wait} (${attempt} of ${maxRetries}).`,
    {
      level: 'warning',
      data: {
        attempt,
        max_retries: maxRetries,
        retry_delay_ms: delayMs,
        error: failure.errorClass,
        error_status: failure.status ?? null,
      },
    },
  );
}

const tombstone = (partial: Partial): QueryEvent => ({ type: 'tombstone', message: { uuid: partial.uuid } });
const isToolUse = (block: AssistantBlock): block is ToolUseBlock => block.type === 'tool_use';
