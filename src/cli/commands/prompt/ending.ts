import type { PromptEnd } from '../../../query/prompt/submitPrompt.ts';
import { INTERRUPTED_AT_STOP } from '../../../query/stop/runStopEvent.ts';
import { type GateEnding, isProof, NOT_PROVEN_EXIT } from '../../../stop/ending.ts';
import { asSentence } from '../../../system/sentence.ts';

/** How an end looks from outside: to a shell, to a script, and to a person. */
interface Ending {
  readonly exitCode: number;
  readonly isError: boolean;
  /** As Claude Code names result subtypes. */
  readonly subtype:
    | 'success'
    | 'error_max_turns'
    | 'error_max_budget_usd'
    | 'error_max_output_tokens'
    | 'error_during_execution';
}

const WELL: Ending = { exitCode: 0, isError: false, subtype: 'success' };
const BADLY: Ending = { exitCode: 1, isError: true, subtype: 'success' };
/** As Claude Code 2.1.325 has it: a script that only reads the result must not take half an answer for one. */
const INTERRUPTED: Ending = { exitCode: 130, isError: true, subtype: 'error_during_execution' };

/** One row an end; a new reason does not compile until it has one. */
const ENDINGS: { readonly [Reason in PromptEnd['reason']]: Ending } = {
  completed: WELL,
  prompt_blocked: WELL,
  command_done: WELL,
  hook_stopped: WELL,
  stop_hook_prevented: WELL,
  stop_hook_capped: WELL,
  prompt_too_long: BADLY,
  rapid_refill_breaker: BADLY,
  image_error: BADLY,
  api_error: BADLY,
  max_turns: { ...BADLY, subtype: 'error_max_turns' },
  budget_exhausted: { ...BADLY, subtype: 'error_max_budget_usd' },
  // Claude Code has no such limit, so the name is ours
  tokens_exhausted: { ...BADLY, subtype: 'error_max_output_tokens' },
  aborted_streaming: INTERRUPTED,
  aborted_tools: INTERRUPTED,
  tool_deferred: WELL,
};

export function endingOf(end: PromptEnd, interrupted: boolean): Ending {
  const ending = ENDINGS[end.reason];
  // no signal came in: 130 would tell a script that a person pressed Ctrl-C
  if ('denial' in end && !interrupted) return { ...ending, exitCode: 1 };
  return interrupted ? { ...ending, exitCode: INTERRUPTED.exitCode } : ending;
}

const FAILED: ReadonlySet<string> = new Set<PromptEnd['reason']>(['api_error', 'prompt_too_long', 'image_error']);

/** Whether a result holds the sentence of a failure in place of an answer. */
export const isFailure = (reason: string | undefined): boolean => reason !== undefined && FAILED.has(reason);

/** How the checks ended, and whether the person wants proof. */
export interface PromptChecks {
  readonly ending: GateEnding;
  readonly requireProof: boolean;
}

export const exitCodeOfChecks = ({ ending, requireProof }: PromptChecks): number =>
  requireProof && !isProof(ending) ? NOT_PROVEN_EXIT : 0;

type Words = { readonly [Reason in PromptEnd['reason']]: (end: Extract<PromptEnd, { reason: Reason }>) => string };

const WORDS: Words = {
  completed: () => '',
  prompt_blocked: () => 'The prompt was refused by a hook; nothing was sent to the model.',
  command_done: ({ message }) => (message === '' ? 'The conversation was compacted.' : ''),
  hook_stopped: ({ stopReason }) => `A tool hook ended the turn${because(stopReason)}`,
  stop_hook_prevented: ({ stopReason }) =>
    stopReason === INTERRUPTED_AT_STOP
      ? 'Interrupted while Stop hooks were running.'
      : `A Stop hook ended the turn for good${because(stopReason)}`,
  stop_hook_capped: ({ blocks }) =>
    `Stopped although a Stop hook objects: it sent the turn back ${blocks} times in a row without a tool call in between.`,
  prompt_too_long: () => 'The conversation does not fit the model, even after compacting. Start a new session.',
  rapid_refill_breaker: () =>
    'Stopped: the conversation does not stay compacted, because the window is full again right after it.',
  image_error: () =>
    'The request is too large for the provider, even after compacting. Start a new session with fewer images or attachments.',
  api_error: ({ failure }) => asSentence(failure.message),
  aborted_streaming: () => 'Interrupted while the model was answering.',
  aborted_tools: ({ denial }) =>
    denial === undefined
      ? 'Interrupted while tools were running.'
      : `A permission hook broke the turn off${because(denial)}`,
  tool_deferred: ({ call }) =>
    `A hook deferred the call of ${call.name}: it did not run. A resumed session tells the model so.`,
  max_turns: ({ maxTurns }) =>
    `Stopped at the limit of ${maxTurns} model request${maxTurns === 1 ? '' : 's'} (--max-turns); the work may be unfinished. Go on with --continue.`,
  budget_exhausted: ({ spentUsd, maxBudgetUsd }) =>
    `Stopped: $${spentUsd.toFixed(4)} of the $${maxBudgetUsd} budget (--max-budget-usd) is spent; the work may be unfinished.`,
  tokens_exhausted: ({ outputTokens, maxOutputTokens }) =>
    `Stopped: ${outputTokens} of ${maxOutputTokens} output tokens (--token-limit) are used; the work may be unfinished.`,
};

const because = (reason: string) => (reason ? `: ${reason}` : '.');

/** What a person reads when a turn did not simply complete; empty when it did. */
export function endInWords(end: PromptEnd): string {
  const word = WORDS[end.reason] as (end: PromptEnd) => string;
  return word(end);
}
