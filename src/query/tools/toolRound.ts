import type { ToolUseBlock } from '../../models/types.ts';
import type { UserMessage } from '../../session/messages.ts';
import type { QueryEvent } from '../events.ts';
import { runHooks } from '../runHooks.ts';
import type { State } from '../state.ts';
import type { Terminal } from '../terminal.ts';
import type { Turn } from '../turn.ts';
import type { PreparedCall } from './prepareCall.ts';
import { runToolCall } from './runToolCall.ts';
import { sideBySide } from './sideBySide.ts';
import { batchOrder } from './toolBatches.ts';
import type { ToolCallEnd } from './toolCallEnd.ts';

/** What the calls of one answer came to, in call order. */
export interface ToolRound {
  /** One result for every call, whatever happened: a history with an unpaired call is refused. */
  readonly results: UserMessage[];
  readonly ends: ToolCallEnd[];
}

/** Whether the rest of a round is not run: the user broke off, or a hook ended the turn. */
export function isOver(turn: Turn, round: ToolRound): boolean {
  return turn.signal.aborted || round.ends.some(({ prevented, interrupts }) => prevented !== null || interrupts);
}

/** Runs calls that may run at once, each told of as it happens. */
export function runSideBySide(
  turn: Turn,
  state: State,
  batch: readonly PreparedCall[],
): AsyncGenerator<QueryEvent, ToolCallEnd[]> {
  const calls = batch.map((prepared) => runUnlessOver(turn, state, prepared));
  return sideBySide(calls, batchOrder(batch, turn.config));
}

/** A call that had to wait for others may find its turn over. */
async function* runUnlessOver(
  turn: Turn,
  state: State,
  prepared: PreparedCall,
): AsyncGenerator<QueryEvent, ToolCallEnd> {
  if (turn.signal.aborted) return notRun(turn, prepared.call);
  return yield* runToolCall(turn, state, prepared);
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

/** How the calls of a round end the turn, before PostToolBatch hooks are asked; undefined when they do not. */
export function endOfRound(turn: Turn, { ends }: ToolRound): Terminal | undefined {
  if (turn.signal.aborted) return { reason: 'aborted_tools' };
  const interrupting = ends.find(({ interrupts }) => interrupts);
  if (interrupting) return { reason: 'aborted_tools', denial: String(interrupting.result.content) };
  const prevented = ends.find((callEnd) => callEnd.prevented !== null)?.prevented;
  if (prevented !== undefined && prevented !== null) return { reason: 'hook_stopped', stopReason: prevented };
  const deferred = ends.find((callEnd) => callEnd.deferred)?.call;
  return deferred && { reason: 'tool_deferred', call: { id: deferred.id, name: deferred.name, input: deferred.input } };
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

/** What hooks said of each call, and what else there is to tell after the round: one hidden message after the results. */
export function contextMessage(
  turn: Turn,
  round: ToolRound,
  more: readonly (readonly string[])[],
): UserMessage | undefined {
  if (more.every((list) => list.length === 0) && round.ends.every(({ contexts }) => contexts.length === 0))
    return undefined;
  const texts = [round.ends.flatMap((callEnd) => callEnd.contexts), ...more].filter((list) => list.length > 0);
  const blocks = texts.map((list) => ({ type: 'text', text: reminder(list.join('\n')) }) as const);
  return turn.make.user(blocks, { isMeta: true });
}

const reminder = (text: string) => `<system-reminder>\n${text}\n</system-reminder>`;
