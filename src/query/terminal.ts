import type { ModelFailure, ToolUseBlock } from '../models/types.ts';
import type { CapReason } from './stop/stopResult.ts';

/** What the conversation shows of an interrupted turn. */
export const INTERRUPTED = '[Request interrupted by user]';
export const INTERRUPTED_FOR_TOOLS = '[Request interrupted by user for tool use]';

/** Why the loop ran once more. */
export type Transition =
  | { readonly reason: 'next_turn' }
  | { readonly reason: 'max_output_tokens_recovery'; readonly attempt: number }
  | { readonly reason: 'reactive_compact_retry' }
  | { readonly reason: 'stop_hook_blocking' }
  | { readonly reason: 'stop_hook_retry' }
  | { readonly reason: 'token_budget_continuation' }
  | { readonly reason: 'empty_answer_retry' }
  | { readonly reason: 'refusal_continuation' };

/** How a turn ended. Never `completed` for one that was cut, capped, spent or interrupted. */
export type Terminal =
  | { readonly reason: 'completed' }
  | { readonly reason: 'hook_stopped'; readonly stopReason: string }
  | { readonly reason: 'stop_hook_prevented'; readonly stopReason: string }
  /** `why`: what was counted; without it, blocks in a row without a tool call. */
  | {
      readonly reason: 'stop_hook_capped';
      readonly blocks: number;
      readonly lastBlock: string;
      readonly why?: Exclude<CapReason, 'noToolCall'>;
    }
  | { readonly reason: 'prompt_too_long'; readonly failure: ModelFailure }
  /** The conversation filled the window again right after each compaction; named as Claude Code names it. */
  | { readonly reason: 'rapid_refill_breaker'; readonly failure: ModelFailure }
  /** The request has too many bytes, as with many images; named as Claude Code names it. */
  | { readonly reason: 'image_error'; readonly failure: ModelFailure }
  | { readonly reason: 'api_error'; readonly failure: ModelFailure }
  | { readonly reason: 'aborted_streaming' }
  /** `denial`: a permission hook ended the turn, not a person. */
  | { readonly reason: 'aborted_tools'; readonly denial?: string }
  /** A hook deferred a call: it did not run, and the caller decides about it. */
  | { readonly reason: 'tool_deferred'; readonly call: Pick<ToolUseBlock, 'id' | 'name' | 'input'> }
  | { readonly reason: 'max_turns'; readonly maxTurns: number }
  /** `leastUsd`: the next request was not sent, because it costs at least this much. */
  | {
      readonly reason: 'budget_exhausted';
      readonly spentUsd: number;
      readonly maxBudgetUsd: number;
      readonly leastUsd?: number;
    }
  | { readonly reason: 'tokens_exhausted'; readonly outputTokens: number; readonly maxOutputTokens: number };

export type TerminalReason = Terminal['reason'];
