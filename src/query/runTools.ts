import type { ToolUseBlock } from '../models/types.ts';
import type { UserMessage } from '../session/messages.ts';
import type { QueryEvent } from './events.ts';
import { type PreparedCall, prepareCall } from './prepareCall.ts';
import { runToolCall } from './runToolCall.ts';
import { sideBySide } from './sideBySide.ts';
import type { State } from './state.ts';
import { atOnce, type Telling } from './telling.ts';
import { toolBatches } from './toolBatches.ts';
import type { ToolCallEnd } from './toolCallEnd.ts';
import type { Turn } from './turn.ts';

export interface ToolRound {
  /** One result for every call, in call order, whatever happened: a history with an unpaired call is refused. */
  readonly results: readonly UserMessage[];
  readonly ends: readonly ToolCallEnd[];
}

/** Runs all calls of one answer. Results are told in call order, batch by batch. */
export async function* runTools(
  turn: Turn,
  state: State,
  calls: readonly ToolUseBlock[],
): AsyncGenerator<QueryEvent, ToolRound> {
  const results: UserMessage[] = [];
  const ends: ToolCallEnd[] = [];
  let prevented = false;
  for (const batch of toolBatches(calls.map((call) => prepareCall(call, state.toolUseContext.tools)))) {
    const [only] = batch;
    const alone = batch.length === 1 && only && !prevented && !turn.signal.aborted;
    const batchEnds: readonly ToolCallEnd[] = alone
      ? [yield* runToolCall(turn, state, only)]
      : yield* runBatch(turn, state, batch, prevented);
    for (const callEnd of batchEnds) {
      const result = turn.record(turn.make.toolResult(callEnd.result, callEnd.output));
      ends.push(callEnd);
      results.push(result);
      yield result;
    }
    prevented ||= batchEnds.some((callEnd) => callEnd.prevented !== null);
  }
  return { results, ends };
}

function runBatch(
  turn: Turn,
  state: State,
  batch: readonly PreparedCall[],
  prevented: boolean,
): Telling<readonly ToolCallEnd[]> {
  if (prevented || turn.signal.aborted) return atOnce(batch.map(({ call }) => notRun(call, prevented)));
  return sideBySide(batch.map((prepared) => runToolCall(turn, state, prepared)));
}

function notRun(call: ToolUseBlock, prevented: boolean): ToolCallEnd {
  const content = prevented ? 'Not run: a hook ended the turn.' : 'Not run: interrupted by the user.';
  const result = { type: 'tool_result', tool_use_id: call.id, tool_name: call.name, content, is_error: true } as const;
  return { call, result, contexts: [], prevented: null };
}
