import type { ModelErrorClass, ModelFailure, ToolUseBlock } from '../models/types.ts';
import { textOf } from '../session/conversation.ts';
import type { AssistantMessage } from '../session/messages.ts';
import type { State } from './state.ts';
import type { Terminal } from './terminal.ts';

/** An answer and the tools it calls. */
interface Called {
  readonly message: AssistantMessage;
  readonly toolCalls: readonly ToolUseBlock[];
}

/** The outcome of one model request. */
export type Reply =
  | (Called & { readonly type: 'answered' })
  | { readonly type: 'failed'; readonly failure: ModelFailure }
  /** Not sent: it does not fit into the budget. */
  | { readonly type: 'unaffordable'; readonly terminal: Terminal }
  | { readonly type: 'aborted' };

export type NextStep =
  | (Called & { readonly type: 'runTools' })
  | { readonly type: 'recoverOutput'; readonly message: AssistantMessage; readonly attempt: number }
  /** The answer has nothing to show: one more try. */
  | { readonly type: 'askForOutput' }
  /** A safety classifier cut the answer: the model may try once more; its calls do not run. */
  | (Called & { readonly type: 'continueRefused' })
  /** The answer used up the budget: it is kept, unless it broke off, and its calls do not run. */
  | (Partial<Called> & { readonly type: 'endAtLimit'; readonly terminal: Terminal })
  | { readonly type: 'compactAndRetry'; readonly failure: ModelFailure }
  /** `message` is an answer that was cut once too often: it is kept. */
  | { readonly type: 'fail'; readonly failure: ModelFailure; readonly message?: AssistantMessage }
  | { readonly type: 'checkStop'; readonly message: AssistantMessage }
  | { readonly type: 'interrupt' };

export type Step<Type extends NextStep['type']> = Extract<NextStep, { type: Type }>;

const MAX_OUTPUT_RECOVERIES = 3;

type StepFacts = Pick<
  State,
  | 'maxOutputTokensRecoveryCount'
  | 'hasAttemptedReactiveCompact'
  | 'hasAskedForOutput'
  | 'hasContinuedRefused'
  | 'isRefusalOpen'
>;

/**
 * What follows an answer. Order matters: tools that were called are run even when the reply was cut after them, but
 * neither after a refusal nor when `limit` is set because the answer used up the budget.
 */
export function decideNextStep(reply: Reply, state: StepFacts, limit?: Terminal): NextStep {
  if (reply.type === 'aborted') return { type: 'interrupt' };
  if (reply.type === 'unaffordable') return { type: 'endAtLimit', terminal: reply.terminal };
  if (reply.type === 'failed') {
    const { failure } = reply;
    if (limit) return { type: 'endAtLimit', terminal: limit };
    const mayCompact = failure.promptTooLong && !state.hasAttemptedReactiveCompact;
    return mayCompact ? { type: 'compactAndRetry', failure } : { type: 'fail', failure };
  }
  const { message, toolCalls } = reply;
  if (limit) return { type: 'endAtLimit', message, toolCalls, terminal: limit };
  if (message.message.stop_reason === 'refusal') {
    return state.hasContinuedRefused
      ? { type: 'fail', failure: REFUSAL_FAILURE, message }
      : { type: 'continueRefused', message, toolCalls };
  }
  if (toolCalls.length > 0) return { type: 'runTools', message, toolCalls };
  if (message.message.stop_reason !== 'max_tokens') {
    if (textOf(message) !== '') return { type: 'checkStop', message };
    if (!state.hasAskedForOutput) return { type: 'askForOutput' };
    // Claude Code 2.1.325 ends such a turn as a success with an empty result
    return state.isRefusalOpen ? { type: 'fail', failure: SILENT_REFUSAL_FAILURE } : { type: 'checkStop', message };
  }
  const attempt = state.maxOutputTokensRecoveryCount + 1;
  return attempt <= MAX_OUTPUT_RECOVERIES
    ? { type: 'recoverOutput', message, attempt }
    : { type: 'fail', failure: OUTPUT_LIMIT_FAILURE, message };
}

const failure = (errorClass: ModelErrorClass, message: string): ModelFailure => ({
  errorClass,
  message,
  retryable: false,
});

const OUTPUT_LIMIT_FAILURE = failure(
  'max_output_tokens',
  `The answer hit the output token limit ${MAX_OUTPUT_RECOVERIES + 1} times in a row; ask for it in smaller pieces.`,
);
const SILENT_REFUSAL_FAILURE = failure(
  'invalid_request',
  "The model's safety classifier stopped its answer, and it returned nothing when asked to continue. Rephrase the request in a new session, or use another model.",
);
const REFUSAL_FAILURE = failure(
  'invalid_request',
  "The model's safety classifier stopped its answer twice. Rephrase the request in a new session, or use another model.",
);
