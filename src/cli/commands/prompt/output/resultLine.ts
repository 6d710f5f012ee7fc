import type { ModelSpend, SpendLedger } from '../../../../models/ledger.ts';
import type { Usage } from '../../../../models/types.ts';
import type { QueryEvent } from '../../../../query/events.ts';
import type { PromptEnd } from '../../../../query/prompt/submitPrompt.ts';
import { textOf } from '../../../../session/conversation.ts';
import type { UserMessage } from '../../../../session/messages.ts';
import type { GateEnding } from '../../../../stop/ending.ts';
import { asSentence } from '../../../../system/sentence.ts';
import type { BackgroundTask } from '../../../../tools/background/backgroundTasks.ts';
import { type EndedRun, endingOf, exitCodeOfChecks, type PromptChecks } from '../ending.ts';

/** Facts from a session's events for its result. */
export interface SessionTally {
  readonly requests: number;
  /** As Claude Code counts them: the prompt, each result of a tool, and each time a hook sent the agent back. */
  readonly turns: number;
  /** Results of tools since the last request. */
  readonly results: number;
  readonly lastAnswer: string;
  readonly stopReason: string | null;
  readonly denials: readonly unknown[];
  /** Whether an answer called a tool. */
  readonly calledTools: boolean;
}

export const EMPTY_TALLY: SessionTally = {
  requests: 0,
  turns: 0,
  results: 0,
  lastAnswer: '',
  stopReason: null,
  denials: [],
  calledTools: false,
};

export function tally(before: SessionTally, event: QueryEvent): SessionTally {
  if (event.type === 'stream_request_start') {
    const turns = event.turnCount === 1 ? 1 : before.turns + Math.max(1, before.results);
    return { ...before, requests: event.turnCount, turns, results: 0 };
  }
  if (event.type === 'user') return { ...before, results: before.results + resultsIn(event) };
  if (event.type === 'assistant' && !event.apiError) {
    const { content, stop_reason: stopReason } = event.message;
    const calledTools = before.calledTools || content.some(({ type }) => type === 'tool_use');
    return { ...before, lastAnswer: textOf(event) || before.lastAnswer, stopReason, calledTools };
  }
  if (event.type === 'system' && event.subtype === 'permission_denied') {
    return { ...before, denials: [...before.denials, event.data] };
  }
  return before;
}

function resultsIn({ message: { content } }: UserMessage): number {
  return typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'tool_result').length;
}

/** What would have begun another request, but for a limit, is counted too. */
const turnsOf = ({ turns, results }: SessionTally, { reason }: PromptEnd) =>
  turns + (reason === 'max_turns' || reason === 'stop_hook_capped' ? Math.max(1, results) : results);

export interface ResultFacts {
  readonly end: PromptEnd;
  readonly tally: SessionTally;
  readonly ledger: SpendLedger;
  readonly sessionId: string;
  readonly durationMs: number;
  readonly interrupted: boolean;
  /** Null: nothing to check. */
  readonly checks: PromptChecks | null;
  /** Background tasks that were ended with the session. */
  readonly endedTasks: readonly BackgroundTask[];
  /** Of the whole session, when it did not just complete; only in the last result. */
  readonly run?: EndedRun;
  readonly uuid: string;
}

export type ResultLine = ReturnType<typeof resultLine>;

/** The last line of stream-json and the whole of json output; fields as Claude Code names them. */
export function resultLine(facts: ResultFacts) {
  const { end, ledger, checks, endedTasks } = facts;
  const ending = endingOf(end, facts.interrupted);
  const status = 'failure' in end ? end.failure.status : undefined;
  return {
    type: 'result',
    subtype: ending.subtype,
    is_error: ending.isError || (checks !== null && exitCodeOfChecks(checks) !== 0),
    duration_ms: Math.round(facts.durationMs),
    duration_api_ms: Math.round(ledger.apiMs),
    num_turns: turnsOf(facts.tally, end),
    num_requests: facts.tally.requests,
    // the last answer, or the message of an API error
    result: resultText(end, facts.tally),
    stop_reason: end.reason === 'tool_deferred' ? end.reason : facts.tally.stopReason,
    ...('message' in end ? {} : { terminal_reason: terminalReason(end.reason, checks) }),
    session_id: facts.sessionId,
    ...costFields(ledger),
    usage: usageFields(ledger.total.usage),
    modelUsage: Object.fromEntries([...ledger.byModel()].map(([model, spend]) => [model, modelFields(spend)])),
    permission_denials: facts.tally.denials,
    ...(end.reason === 'max_turns' ? { errors: [`Reached maximum number of turns (${end.maxTurns})`] } : {}),
    ...(status === undefined ? {} : { api_error_status: status }),
    ...(checks === null ? {} : { checks: checks.ending }),
    ...(facts.run === undefined || facts.run.ending === 'completed' ? {} : runFields(facts.run)),
    ...(endedTasks.length === 0 ? {} : { ended_background_tasks: endedTasks.map(endedTask) }),
    ...(end.reason === 'tool_deferred' ? { deferred_tool_use: end.call } : {}),
    uuid: facts.uuid,
  };
}

/** A name of ours: `terminal_reason` has Claude Code's values. */
const runFields = ({ ending, left }: EndedRun) => ({
  ending,
  ...(left.length > 0 && {
    left_running: left.map(({ pid, command, ageMs }) => ({ pid, command, age_ms: ageMs, ended: true })),
  }),
});

const endedTask = ({ id, type, description, facts }: BackgroundTask) => ({ id, type, description, ...facts });

/** Distinguishes a turn that completed only because its checks gave up. */
export function terminalReason(reason: string, checks: PromptChecks | null): string {
  const gave = checks && reason === 'completed' ? GAVE_UP[checks.ending.type] : undefined;
  return gave ?? reason;
}

const GAVE_UP: { readonly [Type in GateEnding['type']]?: string } = {
  stalled: 'checks_stalled',
  capped: 'checks_capped',
};

function resultText(end: PromptEnd, { lastAnswer }: SessionTally): string {
  if ('message' in end) return end.message;
  // text before the deferred call is not an answer
  if (end.reason === 'tool_deferred') return '';
  if ('failure' in end) return asSentence(end.failure.message);
  return lastAnswer;
}

/** The cost is null when the price of a request is unknown; the sums include the estimated cost of broken replies. */
function costFields(ledger: SpendLedger) {
  const { usd, unpricedRequests, estimatedRequests } = ledger.total;
  const unpriced = [...ledger.byModel()].filter(([, spend]) => spend.unpricedRequests > 0).map(([model]) => model);
  const notes = [
    ...(unpriced.length > 0
      ? [`no known price for ${unpriced.join(', ')}; set STOPGATE_PRICES to a file with prices`]
      : []),
    ...(estimatedRequests > 0
      ? [`${estimatedRequests} ${estimatedRequests === 1 ? 'reply' : 'replies'} broke off; their tokens are estimated`]
      : []),
  ];
  return {
    total_cost_usd: unpricedRequests === 0 ? usd : null,
    ...(notes.length > 0 ? { cost_note: notes.join('; ') } : {}),
    ...(estimatedRequests > 0 ? { estimated_requests: estimatedRequests } : {}),
  };
}

/** Usage with the field names of the Messages API. */
export function usageFields(usage: Usage) {
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    output_tokens: usage.outputTokens,
  };
}

function modelFields(spend: ModelSpend) {
  const { usage, usd, requests, unpricedRequests, estimatedRequests } = spend;
  return {
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cacheReadInputTokens: usage.cacheReadTokens,
    cacheCreationInputTokens: usage.cacheWriteTokens,
    costUSD: unpricedRequests > 0 ? null : usd,
    requests,
    ...(estimatedRequests > 0 ? { estimatedRequests } : {}),
  };
}
