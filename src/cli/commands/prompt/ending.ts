import type { PromptEnd } from '../../../query/prompt/submitPrompt.ts';
import { INTERRUPTED_AT_STOP } from '../../../query/stop/runStopEvent.ts';
import type { CapReason } from '../../../query/stop/stopResult.ts';
import { type GateEnding, isProof, NOT_PROVEN_EXIT } from '../../../stop/ending.ts';
import { exitOfRun, NO_WORK_WORDS, type RunEnding } from '../../../stop/runEnding.ts';
import { describeLeftovers, type Leftover } from '../../../system/leftovers.ts';
import { asSentence } from '../../../system/sentence.ts';

/** How the end of a session looks to a shell and to a script. */
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

const SUCCESS: Ending = { exitCode: 0, isError: false, subtype: 'success' };
const FAILURE: Ending = { exitCode: 1, isError: true, subtype: 'success' };
/** As in Claude Code 2.1.325: a script must not read half an answer as a whole one. */
const INTERRUPTED: Ending = { exitCode: 130, isError: true, subtype: 'error_during_execution' };

const ENDINGS: { readonly [Reason in PromptEnd['reason']]: Ending } = {
  completed: SUCCESS,
  prompt_blocked: SUCCESS,
  command_done: SUCCESS,
  hook_stopped: SUCCESS,
  stop_hook_prevented: SUCCESS,
  stop_hook_capped: SUCCESS,
  prompt_too_long: FAILURE,
  rapid_refill_breaker: FAILURE,
  image_error: FAILURE,
  api_error: FAILURE,
  max_turns: { ...FAILURE, subtype: 'error_max_turns' },
  budget_exhausted: { ...FAILURE, subtype: 'error_max_budget_usd' },
  // Claude Code has no such limit, so the name is ours
  tokens_exhausted: { ...FAILURE, subtype: 'error_max_output_tokens' },
  aborted_streaming: INTERRUPTED,
  aborted_tools: INTERRUPTED,
  tool_deferred: SUCCESS,
};

export function endingOf(end: PromptEnd, interrupted: boolean): Ending {
  const ending = ENDINGS[end.reason];
  // no signal arrived: 130 would mean that the user pressed Ctrl-C
  if ('denial' in end && !interrupted) return { ...ending, exitCode: 1 };
  return interrupted ? { ...ending, exitCode: INTERRUPTED.exitCode } : ending;
}

const FAILED: ReadonlySet<string> = new Set<PromptEnd['reason']>(['api_error', 'prompt_too_long', 'image_error']);

/** Whether a result is an error message instead of an answer. */
export const isFailure = (reason: string | undefined): boolean => reason !== undefined && FAILED.has(reason);

/** How the checks ended, and whether a pass is required. */
export interface PromptChecks {
  readonly ending: GateEnding;
  readonly requireProof: boolean;
}

export const exitCodeOfChecks = ({ ending, requireProof }: PromptChecks): number =>
  requireProof && !isProof(ending) ? NOT_PROVEN_EXIT : 0;

/** How a whole session ended, beyond the end of its last turn. */
export interface EndedRun {
  readonly ending: RunEnding;
  /** Processes that still ran at the end; they are ended with the session. */
  readonly left: readonly Leftover[];
}

/**
 * The exit code of a run that did not just complete. Scripts that read JSON get the recorded exit code of Claude Code for an
 * empty answer, and the field `ending`.
 */
export function exitCodeOfRun({ ending }: EndedRun, checks: PromptChecks | null, format: string): number {
  if (ending === 'no_work' && format !== 'text') return 0;
  return ending === 'completed' ? 0 : exitOfRun(ending, checks?.ending ?? null);
}

export function describeRun({ ending, left }: EndedRun): string | null {
  if (ending === 'completed') return null;
  if (ending === 'no_work') return `no work: ${NO_WORK_WORDS}`;
  return left.length === 0
    ? 'left running: background work was ended with the session'
    : `left running: ended with the session: ${describeLeftovers(left)}`;
}

const CAPPED: Readonly<Record<CapReason, string>> = {
  noToolCall: 'in a row without a tool call in between',
  noChange: 'in a row without a change of files or tasks',
  afterDone: 'in a row although the definition of done was met',
  inTurn: 'in one turn',
};

type Descriptions = {
  readonly [Reason in PromptEnd['reason']]: (end: Extract<PromptEnd, { reason: Reason }>) => string;
};

const DESCRIPTIONS: Descriptions = {
  completed: () => '',
  prompt_blocked: () => 'A hook blocked the prompt; nothing was sent to the model.',
  command_done: ({ message }) => (message === '' ? 'The conversation was compacted.' : ''),
  hook_stopped: ({ stopReason }) => `A tool hook ended the turn${because(stopReason)}`,
  stop_hook_prevented: ({ stopReason }) =>
    stopReason === INTERRUPTED_AT_STOP
      ? 'Interrupted while Stop hooks were running.'
      : `A Stop hook ended the turn${because(stopReason)}`,
  stop_hook_capped: ({ blocks, why }) =>
    `Stopped although a Stop hook still objects: it blocked ${blocks} times ${CAPPED[why ?? 'noToolCall']}.`,
  prompt_too_long: () =>
    'The conversation does not fit into the context window, even after compacting. Start a new session.',
  rapid_refill_breaker: () => 'Stopped: the context window is full again right after compacting.',
  image_error: () =>
    'The request is too large for the provider, even after compacting. Start a new session with fewer images or attachments.',
  api_error: ({ failure }) => asSentence(failure.message),
  aborted_streaming: () => 'Interrupted while the model was answering.',
  aborted_tools: ({ denial }) =>
    denial === undefined
      ? 'Interrupted while tools were running.'
      : `A permission hook ended the turn${because(denial)}`,
  tool_deferred: ({ call }) =>
    `A hook deferred the call of ${call.name}: it did not run. A resumed session reports that to the model.`,
  max_turns: ({ maxTurns }) =>
    `Stopped at the limit of ${maxTurns} model request${maxTurns === 1 ? '' : 's'} (--max-turns); the work may be unfinished. Continue with --continue.`,
  budget_exhausted: ({ spentUsd, maxBudgetUsd, leastUsd }) => {
    const next = leastUsd === undefined ? '' : `, and the next request costs at least about $${leastUsd.toFixed(4)}`;
    return `Stopped: $${spentUsd.toFixed(4)} of the $${maxBudgetUsd} budget (--max-budget-usd) was spent${next}; the work may be unfinished.`;
  },
  tokens_exhausted: ({ outputTokens, maxOutputTokens }) =>
    `Stopped: ${outputTokens} of ${maxOutputTokens} output tokens (--token-limit) were used; the work may be unfinished.`,
};

const because = (reason: string) => (reason ? `: ${reason}` : '.');

/** Why a turn did not simply complete; empty when it did. */
export function describeEnd(end: PromptEnd): string {
  const describe = DESCRIPTIONS[end.reason] as (end: PromptEnd) => string;
  return describe(end);
}
