import type { Terminal } from '../../query/terminal.ts';
import { ownValue } from '../../system/ownValue.ts';
import type { JobVerdict } from './jobRules.ts';

type Verdicts = {
  readonly [Reason in Terminal['reason']]: (end: Extract<Terminal, { reason: Reason }>) => JobVerdict | undefined;
};

/** The state of the job by the end of the turn. Undefined: the turn ended with an answer, which is classified already. */
const VERDICTS: Verdicts = {
  completed: () => undefined,
  hook_stopped: ({ stopReason }) => ({ state: 'blocked', detail: `A hook ended the turn: ${stopReason}` }),
  stop_hook_prevented: ({ stopReason }) => ({ state: 'blocked', detail: `A Stop hook ended the turn: ${stopReason}` }),
  stop_hook_capped: ({ lastBlock }) => ({ state: 'blocked', detail: `A Stop hook still objects: ${lastBlock}` }),
  image_error: failed,
  prompt_too_long: failed,
  rapid_refill_breaker: failed,
  api_error: failed,
  aborted_streaming: () => ({ state: 'failed', detail: 'It was interrupted.' }),
  aborted_tools: ({ denial }) => ({
    state: 'failed',
    detail: denial === undefined ? 'It was interrupted.' : `A permission hook ended it: ${denial}`,
  }),
  tool_deferred: ({ call }) => ({ state: 'blocked', detail: `A hook deferred the call of ${call.name}.` }),
  max_turns: ({ maxTurns }) => ({ state: 'blocked', detail: `It stopped at its limit of ${maxTurns} requests.` }),
  budget_exhausted: ({ maxBudgetUsd }) => ({ state: 'blocked', detail: `Its budget of $${maxBudgetUsd} is spent.` }),
  tokens_exhausted: ({ maxOutputTokens }) => ({
    state: 'blocked',
    detail: `Its limit of ${maxOutputTokens} output tokens is used.`,
  }),
};

function failed({ failure }: Extract<Terminal, { failure: unknown }>): JobVerdict {
  return { state: 'failed', detail: failure.message };
}

/** Undefined also for an end that another version wrote. */
export function jobByTerminal(end: Terminal): JobVerdict | undefined {
  const judge = ownValue(VERDICTS, end.reason) as ((end: Terminal) => JobVerdict | undefined) | undefined;
  return judge?.(end);
}
