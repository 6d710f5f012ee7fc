import type { ModelFailure, ToolUseBlock } from '../models/types.ts';
import type { AssistantMessage } from '../session/messages.ts';
import type { State } from './state.ts';

/** What one request came to. */
export type Reply =
  | { readonly type: 'answered'; readonly message: AssistantMessage; readonly toolCalls: readonly ToolUseBlock[] }
  | { readonly type: 'failed'; readonly failure: ModelFailure }
  | { readonly type: 'aborted' };

export type NextStep =
  | { readonly type: 'runTools'; readonly message: AssistantMessage; readonly toolCalls: readonly ToolUseBlock[] }
  | { readonly type: 'recoverOutput'; readonly message: AssistantMessage; readonly attempt: number }
  | { readonly type: 'compactAndRetry'; readonly failure: ModelFailure }
  /** `message` is an answer that was cut once too often: it is kept. */
  | { readonly type: 'fail'; readonly failure: ModelFailure; readonly message?: AssistantMessage }
  | { readonly type: 'checkStop'; readonly message: AssistantMessage }
  | { readonly type: 'interrupt' };

export const MAX_OUTPUT_RECOVERIES = 3;

/** What follows an answer. Order matters: tools that were called are run even when the reply was cut after them. */
export function decideNextStep(
  reply: Reply,
  state: Pick<State, 'maxOutputTokensRecoveryCount' | 'hasAttemptedReactiveCompact'>,
): NextStep {
  if (reply.type === 'aborted') return { type: 'interrupt' };
  if (reply.type === 'failed') {
    const { failure } = reply;
    const mayCompact = failure.promptTooLong && !state.hasAttemptedReactiveCompact;
    return mayCompact ? { type: 'compactAndRetry', failure } : { type: 'fail', failure };
  }
  const { message, toolCalls } = reply;
  if (toolCalls.length > 0) return { type: 'runTools', message, toolCalls };
  if (message.message.stop_reason !== 'max_tokens') return { type: 'checkStop', message };
  const attempt = state.maxOutputTokensRecoveryCount + 1;
  return attempt <= MAX_OUTPUT_RECOVERIES
    ? { type: 'recoverOutput', message, attempt }
    : { type: 'fail', failure: OUTPUT_LIMIT_FAILURE, message };
}

const OUTPUT_LIMIT_FAILURE: ModelFailure = {
  errorClass: 'max_output_tokens',
  message: `The answer hit the output token limit ${MAX_OUTPUT_RECOVERIES + 1} times in a row; ask for it in smaller pieces.`,
  retryable: false,
};
