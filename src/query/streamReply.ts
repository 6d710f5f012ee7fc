import { decideFallback } from '../models/fallback.ts';
import type { SpendEntry } from '../models/ledger.ts';
import { ReplyMeter } from '../models/replyMeter.ts';
import { decideRetry, type RetryEvent } from '../models/retries.ts';
import type { AssistantBlock, ModelEvent, ModelFailure, ModelRequest, ToolUseBlock } from '../models/types.ts';
import { conversationOf } from '../session/conversation.ts';
import { withoutForeignThinking } from '../session/foreignThinking.ts';
import { AppendOnlyList } from '../system/appendOnly.ts';
import { formatDuration } from '../system/formatDuration.ts';
import { asSentence } from '../system/sentence.ts';
import { budgetLimit } from './decideLimit.ts';
import type { Reply } from './decideNextStep.ts';
import type { QueryEvent } from './events.ts';
import type { State } from './state.ts';
import type { Turn } from './turn.ts';

/**
 * One request to the model, asked again while it fails in ways that pass. Pieces are told as they come, and withdrawn
 * when the reply breaks off; the whole message is told by the step. The model's stream is read here directly, not
 * through `streamWithRetries`: another generator around it would cost as much as the rest of the step.
 */
export async function* streamReply(turn: Turn, state: State): AsyncGenerator<QueryEvent, Reply> {
  const { clock, random } = turn.deps;
  const notices: string[] = [];
  const newRequest = () => requestFor(turn, state, (sentence) => notices.push(sentence));
  let request = newRequest();
  for (let attempt = 1; ; attempt++) {
    const partial = newPartial(turn, state);
    let failure: ModelFailure | undefined;
    for await (const event of state.toolUseContext.model.stream(request)) {
      partial.meter.see(event);
      if (event.type === 'finish') {
        if (notices.length > 0) yield* tellNotices(turn, notices);
        return answered(turn, state, partial, event);
      }
      if (event.type === 'failed') {
        failure = event.failure;
        break;
      }
      if (collect(turn, partial, event)) yield { type: 'stream_event', messageUuid: partial.uuid, event };
    }
    if (notices.length > 0) yield* tellNotices(turn, notices);
    if (partial.told) yield { type: 'tombstone', message: { uuid: partial.uuid } };
    recordBroken(turn, state, partial, request);
    // only an abort ends a stream without a last word
    if (!failure || turn.signal.aborted) return { type: 'aborted' };
    // what broke off has been paid for: trying again must not spend more than there is
    const isSpent = budgetLimit(turn.config, turn.deps.ledger) !== undefined;
    const maxRetries = isSpent ? 0 : turn.config.maxRetries;
    const decision = decideRetry({ failure, attempt, maxRetries, random: random() });
    const givesUp = decision.type === 'give-up';
    if (!isSpent && (yield* fallBack(turn, state, { failure, attempt, givesUp }))) {
      request = newRequest();
      attempt = 0;
      continue;
    }
    if (givesUp) return { type: 'failed', failure: decision.failure };
    const { delayMs } = decision;
    yield turn.record(retryMessage(turn, { attempt, maxRetries, delayMs, failure }));
    await clock.sleep(delayMs, turn.signal);
    if (turn.signal.aborted) return { type: 'aborted' };
  }
}

/** Goes on with the next of `--fallback-model` when there is one and the failure is a reason to; says so. */
function* fallBack(
  turn: Turn,
  state: State,
  facts: Parameters<typeof decideFallback>[0],
): Generator<QueryEvent, boolean> {
  const { fallback } = state.toolUseContext.model;
  const trigger = fallback && decideFallback(facts);
  const switched = trigger && fallback.next();
  if (!switched) return false;
  const { from: original_model, to: fallback_model } = switched;
  const content = `Switched to ${fallback_model} for this turn: ${original_model} failed. ${asSentence(facts.failure.message)}`;
  const data = { trigger, original_model, fallback_model };
  yield turn.record(turn.make.system('model_fallback', content, { level: 'warning', data }));
  return true;
}

/** Adds an event to the message in the making; true for pieces that are told immediately. */
function collect(turn: Turn, partial: Partial, event: Exclude<ModelEvent, { type: 'finish' | 'failed' }>): boolean {
  if (event.type === 'block') {
    partial.blocks.push(event.block.type === 'tool_use' ? withOwnId(turn, partial, event.block) : event.block);
    return false;
  }
  if (event.type === 'start') {
    partial.id = event.id ?? partial.id;
    partial.model = event.model ?? partial.model;
    return false;
  }
  if (event.type === 'usage') return false;
  partial.told = true;
  return true;
}

/** A call without an id, or with one that was there before, could not be answered: it gets one of its own. */
function withOwnId(turn: Turn, { blocks }: Partial, call: ToolUseBlock): ToolUseBlock {
  const taken = call.id === '' || blocks.some((block) => block.type === 'tool_use' && block.id === call.id);
  return taken ? { ...call, id: `toolu_${turn.deps.ids.uuid()}` } : call;
}

type Finish = Extract<ModelEvent, { type: 'finish' }>;

function answered(turn: Turn, state: State, partial: Partial, end: Finish): Reply {
  const { uuid, id, model, blocks: content, startedAt } = partial;
  const { stopReason: stop_reason, usage } = end;
  const { id: modelId } = state.toolUseContext.model;
  recordSpend(turn, state, { usage, durationMs: turn.deps.clock.now() - startedAt });
  const message = turn.make.assistant({ id, role: 'assistant', model, content, stop_reason, usage }, { uuid, modelId });
  return { type: 'answered', message, toolCalls: content.filter(isToolUse) };
}

interface Partial {
  readonly uuid: string;
  id: string;
  model: string;
  readonly blocks: AssistantBlock[];
  readonly startedAt: number;
  readonly meter: ReplyMeter;
  /** Some of it was shown, so taking it back must be shown too. */
  told: boolean;
}

function newPartial(turn: Turn, state: State): Partial {
  const uuid = turn.deps.ids.uuid();
  return {
    uuid,
    id: `msg_${uuid}`,
    model: state.toolUseContext.model.id,
    blocks: [],
    startedAt: turn.deps.clock.now(),
    meter: new ReplyMeter(),
    told: false,
  };
}

function requestFor(turn: Turn, state: State, onNotice: (sentence: string) => void): ModelRequest {
  return {
    system: turn.system,
    messages: messagesFor(state),
    tools: turn.toolDefinitions,
    ...(state.maxOutputTokensOverride ? { maxOutputTokens: state.maxOutputTokensOverride } : {}),
    signal: turn.signal,
    onNotice,
  };
}

/** A model that stands in for another must not be sent what that one signed. */
function messagesFor({ messages, toolUseContext: { model } }: State): ModelRequest['messages'] {
  if (!model.fallback?.isUsed()) return conversationOf(messages);
  return conversationOf(AppendOnlyList.of(withoutForeignThinking(messages, model.id)));
}

function* tellNotices(turn: Turn, notices: string[]): Generator<QueryEvent, void> {
  for (const notice of notices.splice(0)) yield turn.record(turn.make.system('model_notice', notice, WARNING));
}

const WARNING = { level: 'warning' } as const;

type Spend = Pick<SpendEntry, 'usage' | 'durationMs' | 'estimated'>;

function recordSpend(turn: Turn, state: State, spend: Spend): void {
  const model = state.toolUseContext.model.id;
  const source = state.toolUseContext.agentId ? 'subagent' : 'turn';
  turn.deps.ledger.record({ source, model, cost: turn.deps.costOf(model, spend.usage), ...spend });
}

/** A reply that broke off is billed as well, as far as it came. */
function recordBroken(turn: Turn, state: State, { meter, startedAt }: Partial, request: ModelRequest): void {
  const usage = meter.brokenOff(request);
  if (usage) recordSpend(turn, state, { usage, durationMs: turn.deps.clock.now() - startedAt, estimated: true });
}

function retryMessage(turn: Turn, retry: Omit<RetryEvent, 'type' | 'withdrawn'>) {
  const { attempt, maxRetries, delayMs, failure } = retry;
  const wait = formatDuration(delayMs);
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

const isToolUse = (block: AssistantBlock): block is ToolUseBlock => block.type === 'tool_use';
