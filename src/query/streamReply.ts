import { decideFallback, type FallbackFacts } from '../models/fallback.ts';
import type { SpendEntry } from '../models/ledger.ts';
import { ReplyMeter } from '../models/replyMeter.ts';
import { type Reservation, reserve, UNLIMITED } from '../models/reservation.ts';
import { decideRetry } from '../models/retries.ts';
import {
  type AssistantBlock,
  type ModelEvent,
  type ModelFailure,
  type ModelRequest,
  NO_USAGE,
  type ToolUseBlock,
  type Usage,
} from '../models/types.ts';
import { messageCharacters } from '../session/compaction.ts';
import { conversationOf } from '../session/conversation.ts';
import { withoutForeignThinking } from '../session/foreignThinking.ts';
import { AppendOnlyList } from '../system/appendOnly.ts';
import { formatDuration } from '../system/formatDuration.ts';
import { asSentence } from '../system/sentence.ts';
import { budgetLimit } from './decideLimit.ts';
import type { Reply } from './decideNextStep.ts';
import type { QueryEvent } from './events.ts';
import { keptCall } from './keptCall.ts';
import type { State } from './state.ts';
import type { Turn } from './turn.ts';

/**
 * One request to the model, retried after transient failures. Pieces are emitted as they arrive and withdrawn when the
 * reply breaks off; the step emits the whole message.
 */
export async function* streamReply(turn: Turn, state: State): AsyncGenerator<QueryEvent, Reply> {
  const notices: string[] = [];
  const newRequest = () => requestFor(turn, state, (sentence) => notices.push(sentence));
  let request = newRequest();
  for (let attempt = 1; ; attempt++) {
    const held = turn.config.maxBudgetUsd === undefined ? UNLIMITED : await reserveReply(turn, state, request);
    if (held.type === 'refused') return unaffordable(turn, held.leastUsd);
    using reservation = held;
    const { maxOutputTokens } = held;
    const sent = maxOutputTokens === undefined ? request : { ...request, maxOutputTokens };
    const partial = newPartial(turn, state);
    let last: Finish | Failed | undefined;
    for await (const event of state.toolUseContext.model.stream(sent)) {
      partial.meter.see(event);
      if (event.type === 'finish' || event.type === 'failed') {
        last = event;
        break;
      }
      if (collect(turn, partial, event)) yield { type: 'stream_event', messageUuid: partial.uuid, event };
    }
    if (last?.type === 'finish' && notices.length === 0) return answered(turn, state, partial, last);
    const broken = { request, partial, notices, last, attempt, reservation };
    const after = yield* afterBreak(turn, state, broken);
    if (after.type !== 'again') return after;
    if (after.isOtherModel) [request, attempt] = [newRequest(), 0];
  }
}

/** A reply that broke off or came with notices: emits what the person must see, and waits if the request is to be repeated. */
async function* afterBreak(
  turn: Turn,
  state: State,
  { request, partial, notices, last, attempt, reservation }: Broken,
): AsyncGenerator<QueryEvent, Reply | { readonly type: 'again'; readonly isOtherModel: boolean }> {
  for (const notice of notices.splice(0))
    yield turn.record(turn.make.system('model_notice', notice, { level: 'warning' }));
  if (last?.type === 'finish') return answered(turn, state, partial, last);
  if (partial.isShown) yield { type: 'tombstone', message: { uuid: partial.uuid } };
  recordBroken(turn, state, partial, request);
  // only an abort ends a stream without a final event
  if (!last || turn.signal.aborted) return { type: 'aborted' };
  const { failure } = last;
  // a broken-off reply has been paid for: a retry must not exceed the budget
  const isSpent = budgetLimit(turn.config, turn.deps.ledger) !== undefined;
  const maxRetries = isSpent ? 0 : turn.config.maxRetries;
  const decision = decideRetry({ failure, attempt, maxRetries, random: turn.deps.random() });
  const givesUp = decision.type === 'give-up';
  const isOtherModel = !isSpent && (yield* fallBack(turn, state, { failure, attempt, givesUp }));
  if (isOtherModel) return { type: 'again', isOtherModel };
  if (givesUp) return { type: 'failed', failure: decision.failure };
  const { delayMs } = decision;
  reservation[Symbol.dispose]();
  yield turn.record(retryMessage(turn, { attempt, maxRetries, delayMs, failure }));
  await turn.deps.clock.sleep(delayMs, turn.signal);
  return turn.signal.aborted ? { type: 'aborted' } : { type: 'again', isOtherModel };
}

function reserveReply({ config, deps }: Turn, state: State, request: ModelRequest): Promise<Reservation> {
  const { maxBudgetUsd: maxUsd } = config;
  const expectedInput = expectedInputOf(state);
  return reserve(state.toolUseContext.model, request, { ...deps, maxUsd, expectedInput });
}

/** By the count of the last reply: what was sent with it is in the provider's cache, if there is one. */
function expectedInputOf({ messages }: State): Usage | undefined {
  let fresh = 0;
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages.at(i);
    if (message?.type === 'user') fresh += messageCharacters(message.message);
    if (message?.type !== 'assistant' || message.apiError) continue;
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = message.message.usage;
    const before = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
    if (before === outputTokens) return undefined;
    const added = Math.ceil(fresh / CHARACTERS_PER_TOKEN);
    const isCached = cacheReadTokens + cacheWriteTokens > 0;
    return isCached
      ? { ...NO_USAGE, cacheReadTokens: before, inputTokens: added }
      : { ...NO_USAGE, inputTokens: before + added };
  }
  return undefined;
}

const CHARACTERS_PER_TOKEN = 4;

function unaffordable({ config, deps }: Turn, leastUsd: number): Reply {
  const { maxBudgetUsd = 0 } = config;
  const terminal = { reason: 'budget_exhausted', spentUsd: deps.ledger.totalUsd, maxBudgetUsd, leastUsd } as const;
  return { type: 'unaffordable', terminal };
}

/** Switches to the next `--fallback-model` when there is one and the failure is a reason to. */
function* fallBack(turn: Turn, state: State, facts: FallbackFacts): Generator<QueryEvent, boolean> {
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

/** Adds an event to the partial message; true for pieces that are emitted immediately. */
function collect(turn: Turn, partial: Partial, event: Exclude<ModelEvent, { type: 'finish' | 'failed' }>): boolean {
  if (event.type === 'block') {
    partial.blocks.push(event.block.type === 'tool_use' ? withOwnId(turn, partial, event.block) : event.block);
  }
  if (event.type === 'start') {
    partial.id = event.id ?? partial.id;
    partial.model = event.model ?? partial.model;
  }
  const isPiece = 'text' in event;
  partial.isShown ||= isPiece;
  return isPiece;
}

/** A call without an id, or with a duplicate one, could not be answered: it gets its own. */
function withOwnId(turn: Turn, { blocks }: Partial, call: ToolUseBlock): ToolUseBlock {
  const taken = call.id === '' || blocks.some((block) => block.type === 'tool_use' && block.id === call.id);
  return taken ? { ...call, id: `toolu_${turn.deps.ids.uuid()}` } : call;
}

type Finish = Extract<ModelEvent, { type: 'finish' }>;
type Failed = Extract<ModelEvent, { type: 'failed' }>;

interface Broken {
  readonly request: ModelRequest;
  readonly partial: Partial;
  readonly notices: string[];
  /** Undefined when the stream ended without a final event. */
  readonly last: Finish | Failed | undefined;
  readonly attempt: number;
  readonly reservation: Disposable;
}

function answered(turn: Turn, state: State, partial: Partial, end: Finish): Reply {
  const { uuid, id, model, startedAt } = partial;
  // of exact length: a list that grew by `push` keeps room for 17, and the conversation keeps every reply
  const { tools } = state.toolUseContext;
  const content = partial.blocks.map((block) => (block.type === 'tool_use' ? keptCall(block, tools) : block));
  const { stopReason: stop_reason, usage } = end;
  const { id: modelId } = state.toolUseContext.model;
  recordSpend(turn, state, { usage, durationMs: turn.deps.clock.now() - startedAt });
  const message = turn.make.assistant({ id, role: 'assistant', model, content, stop_reason, usage }, { uuid, modelId });
  return { type: 'answered', message, toolCalls: content.filter((block) => block.type === 'tool_use') };
}

interface Partial {
  readonly uuid: string;
  id: string;
  model: string;
  readonly blocks: AssistantBlock[];
  readonly startedAt: number;
  readonly meter: ReplyMeter;
  /** Some of it was shown, so its withdrawal must be shown too. */
  isShown: boolean;
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
    isShown: false,
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

/** A fallback model must not be sent thinking that another model signed. */
function messagesFor({ messages, toolUseContext: { model } }: State): ModelRequest['messages'] {
  if (!model.fallback?.isUsed()) return conversationOf(messages);
  return conversationOf(AppendOnlyList.of(withoutForeignThinking(messages, model.id)));
}

function recordSpend(turn: Turn, state: State, spend: Pick<SpendEntry, 'usage' | 'durationMs' | 'estimated'>): void {
  const model = state.toolUseContext.model.id;
  const source = state.toolUseContext.agentId ? 'subagent' : 'turn';
  turn.deps.ledger.record({ source, model, cost: turn.deps.costOf(model, spend.usage), ...spend });
}

/** A reply that broke off is billed too, as far as it was received. */
function recordBroken(turn: Turn, state: State, { meter, startedAt }: Partial, request: ModelRequest): void {
  const usage = meter.brokenOff(request);
  if (usage) recordSpend(turn, state, { usage, durationMs: turn.deps.clock.now() - startedAt, estimated: true });
}

interface Retry {
  readonly attempt: number;
  readonly maxRetries: number;
  readonly delayMs: number;
  readonly failure: ModelFailure;
}

function retryMessage(turn: Turn, { attempt, maxRetries, delayMs, failure }: Retry) {
  const text = `${asSentence(failure.message)} Trying again in ${formatDuration(delayMs)} (${attempt} of ${maxRetries}).`;
  const data = {
    attempt,
    max_retries: maxRetries,
    retry_delay_ms: delayMs,
    error: failure.errorClass,
    error_status: failure.status ?? null,
  };
  return turn.make.system('api_retry', text, { level: 'warning', data });
}
