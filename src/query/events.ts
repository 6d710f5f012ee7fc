import type { ModelEvent } from '../models/types.ts';
import type { AssistantMessage, Message, UserMessage } from '../session/messages.ts';

/**
 * What a turn tells while it runs. A message was written to the transcript before it is told; everything else is
 * news that a later event may overtake.
 */
export type QueryEvent =
  | Message
  /** A prompt and what hooks added to it, as they go to the model: already in the transcript. */
  | { readonly type: 'submitted'; readonly messages: readonly UserMessage[] }
  /** A request is about to be sent; the turn's `n`-th. */
  | { readonly type: 'stream_request_start'; readonly turnCount: number }
  /** A piece of the answer that `messageUuid` will carry when it is whole. */
  | { readonly type: 'stream_event'; readonly messageUuid: string; readonly event: ModelEvent }
  /** Pieces told for this message are withdrawn: the reply broke off and is asked for again, or the turn ended. */
  | { readonly type: 'tombstone'; readonly message: Pick<AssistantMessage, 'uuid'> }
  /** A call starts; the user message with its result ends it. */
  | { readonly type: 'tool_start'; readonly toolUseId: string; readonly name: string; readonly summary: string }
  | { readonly type: 'progress'; readonly toolUseId: string; readonly data: Readonly<Record<string, unknown>> }
  /** What the last round of tools did, in a few words. */
  | { readonly type: 'tool_use_summary'; readonly summary: string }
  /** How far a token budget is; told at each continuation. */
  | {
      readonly type: 'token_budget';
      readonly pct: number;
      readonly turnTokens: number;
      readonly budget: number;
      readonly continuationCount: number;
    }
  | { readonly type: 'hook_progress'; readonly data: Readonly<Record<string, unknown>> };
