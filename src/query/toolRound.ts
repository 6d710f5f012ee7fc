import type { ToolUseBlock } from '../models/types.ts';
import type { UserMessage } from '../session/messages.ts';
import type { QueryEvent } from './events.ts';
import type { PreparedCall } from './prepareCall.ts';
import { runHooks } from './runHooks.ts';
import { runToolCall } from './runToolCall.ts';
import { sideBySide } from './sideBySide.ts';
import type { State } from './state.ts';
import type { ToolCallEnd } from './toolCallEnd.ts';
import type { Turn } from './turn.ts';

/** What the calls of one answer came to, in call order. */
export interface ToolRound {
  /** One result for every call, whatever happened: a history with an unpaired call is refused. */
  readonly results: UserMessage[];
  readonly ends: ToolCallEnd[];
}

/** Whether the rest of a round is not run: the user broke off, or a hook ended the turn. */
export function isOver(turn: Turn, round: ToolRound): boolean {
  return turn.signal.aborted || round.ends.some(({ prevented }) => prevented !== null);
}

/** Runs calls that may run at once, each told of as it happens. */
export function runSideBySide(
  turn: Turn,
  state: State,
  batch: readonly PreparedCall[],
): AsyncGenerator<QueryEvent, ToolCallEnd[]> {
  return sideBySide(batch.map((prepared) => runToolCall(turn, state, prepared)));
}

/** The result of a call that was not run because the round is over. */
export function notRun(turn: Turn, call: ToolUseBlock): ToolCallEnd {
  const content = turn.signal.aborted ? 'Not run: interrupted by the user.' : 'Not run: a hook ended the turn.';
  const result = { type: 'tool_result', tool_use_id: call.id, tool_name: call.name, content, is_error: true } as const;
  return { call, result, contexts: [], prevented: null };
}

export interface RoundAnswer {
  readonly stopReason: string | null;
  readonly contexts: readonly string[];
}

/** Asks the PostToolBatch hooks, once a round. */
export async function* askBatchHooks(
  turn: Turn,
  state: State,
  round: ToolRound,
): AsyncGenerator<QueryEvent, RoundAnswer> {
  const verdict = yield* runHooks(turn, {
    event: 'PostToolBatch',
    context: state.toolUseContext,
    input: () => ({
      tool_calls: round.ends.map(({ call, result }) => ({
        tool_name: call.name,
        tool_input: call.input,
        tool_use_id: call.id,
        tool_response: result.content,
      })),
    }),
  });
  // Here a block does not mean "try again": the tools have run, so it can only end the loop.
  return { stopReason: verdict.prevented ?? verdict.blocks[0] ?? null, contexts: verdict.contexts };
}

/** What hooks said of the whole round, as one hidden text after the results. */
export function contextMessage(
  turn: Turn,
  round: ToolRound,
  batchContexts: readonly string[],
): UserMessage | undefined {
  if (batchContexts.length === 0 && round.ends.every(({ contexts }) => contexts.length === 0)) return undefined;
  const texts = [round.ends.flatMap((callEnd) => callEnd.contexts), batchContexts].filter((list) => list.length > 0);
  const blocks = texts.map((list) => ({ type: 'text', text: reminder(list.join('\n')) }) as const);
  return turn.make.user(blocks, { isMeta: true });
}

const reminder = (text: string) => `<system-reminder>\n${text}\n</system-reminder>`;
