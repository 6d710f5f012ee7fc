import type { PromptEnd } from '../query/submitPrompt.ts';

/** How an end looks from outside: to a shell, to a script, and to a person. */
interface Ending {
  readonly exitCode: number;
  readonly isError: boolean;
  /** As Claude Code names result subtypes. */
  readonly subtype: 'success' | 'error_max_turns' | 'error_max_budget_usd' | 'error_during_execution';
}

const WELL: Ending = { exitCode: 0, isError: false, subtype: 'success' };
const BADLY: Ending = { exitCode: 1, isError: true, subtype: 'success' };
/** As Claude Code 2.1.325 has it: a script that only reads the result must not take half an answer for one. */
const INTERRUPTED: Ending = { exitCode: 130, isError: true, subtype: 'error_during_execution' };

/** One row an end; a new reason does not compile until it has one. */
const ENDINGS: { readonly [Reason in PromptEnd['reason']]: Ending } = {
  completed: WELL,
  prompt_blocked: WELL,
  hook_stopped: WELL,
  stop_hook_prevented: WELL,
  stop_hook_capped: WELL,
  prompt_too_long: BADLY,
  api_error: BADLY,
  max_turns: { ...BADLY, subtype: 'error_max_turns' },
  budget_exhausted: { ...BADLY, subtype: 'error_max_budget_usd' },
  aborted_streaming: INTERRUPTED,
  aborted_tools: INTERRUPTED,
};

export function endingOf(end: PromptEnd, interrupted: boolean): Ending {
  const ending = ENDINGS[end.reason];
  return interrupted ? { ...ending, exitCode: INTERRUPTED.exitCode } : ending;
}

type Words = { readonly [Reason in PromptEnd['reason']]: (end: Extract<PromptEnd, { reason: Reason }>) => string };

const WORDS: Words = {
  completed: () => '',
  prompt_blocked: () => 'The prompt was refused by a hook; nothing was sent to the model.',
  hook_stopped: ({ stopReason }) => `A tool hook ended the turn${because(stopReason)}`,
  stop_hook_prevented: ({ stopReason }) => `A Stop hook ended the turn for good${because(stopReason)}`,
  stop_hook_capped: ({ blocks }) =>
    `Stopped although a Stop hook objects: it sent the turn back ${blocks} times in a row without a tool call in between.`,
  prompt_too_long: () => 'The conversation does not fit the model, even after compacting. Start a new session.',
  api_error: ({ failure }) => `The model could not be reached (${failure.errorClass.replaceAll('_', ' ')}).`,
  aborted_streaming: () => 'Interrupted while the model was answering.',
  aborted_tools: () => 'Interrupted while tools were running.',
  max_turns: ({ maxTurns }) =>
    `Stopped at the limit of ${maxTurns} model request${maxTurns === 1 ? '' : 's'} (--max-turns); the work may be unfinished. Go on with --continue.`,
  budget_exhausted: ({ spentUsd, maxBudgetUsd }) =>
    `Stopped: $${spentUsd.toFixed(4)} of the $${maxBudgetUsd} budget (--max-budget-usd) is spent; the work may be unfinished.`,
};

const because = (reason: string) => (reason ? `: ${reason}` : '.');

/** What a person reads when a turn did not simply complete; empty when it did. */
export function endInWords(end: PromptEnd): string {
  const word = WORDS[end.reason] as (end: PromptEnd) => string;
  return word(end);
}
