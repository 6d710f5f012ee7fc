import type { ModelEvent } from '../models/types.ts';
import type { AssistantMessage, Message, UserMessage } from '../session/messages.ts';
import type { BudgetProgress } from './stop/tokenBudget.ts';

/**
 * What a turn emits while it runs. A message is in the transcript before it is emitted; a later event may make any
 * other one obsolete.
 */
export type QueryEvent =
  | Message
  /** A prompt and what hooks added to it, as they go to the model: already in the transcript. */
  | { readonly type: 'submitted'; readonly messages: readonly UserMessage[] }
  /** A request is about to be sent; the turn's `n`-th. */
  | { readonly type: 'stream_request_start'; readonly turnCount: number }
  /** A piece of the answer that `messageUuid` will carry when it is whole. */
  | { readonly type: 'stream_event'; readonly messageUuid: string; readonly event: ModelEvent }
  /** The pieces of this message are withdrawn: the reply broke off and is requested again, or the turn ended. */
  | { readonly type: 'tombstone'; readonly message: Pick<AssistantMessage, 'uuid'> }
  /** A call starts; the user message with its result ends it. */
  | { readonly type: 'tool_start'; readonly toolUseId: string; readonly name: string; readonly summary: string }
  | { readonly type: 'progress'; readonly toolUseId: string; readonly data: Readonly<Record<string, unknown>> }
  /** What the last round of tools did, in a few words. */
  | { readonly type: 'tool_use_summary'; readonly summary: string }
  /** How much of a token budget is used; emitted at each continuation. */
  | ({ readonly type: 'token_budget' } & BudgetProgress)
  | { readonly type: 'hook_progress'; readonly data: Readonly<Record<string, unknown>> };

const MESSAGE_TYPES: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'attachment']);
export const isMessage = (event: QueryEvent): event is Message => MESSAGE_TYPES.has(event.type);

/**
 * A part of a turn that may emit events before it returns a result. Most have nothing to emit or await; those return
 * `immediately(result)`, which costs a tenth of an async generator. A turn of a thousand steps starts some twenty
 * thousand of them.
 */
export type Emitting<Result> = AsyncGenerator<QueryEvent, Result> | Generator<QueryEvent, Result>;

// biome-ignore lint/correctness/useYield: having nothing to emit is the point
export function* immediately<Result>(result: Result): Generator<never, Result> {
  return result;
}

export function* emit(event: QueryEvent): Generator<QueryEvent, void> {
  yield event;
}
