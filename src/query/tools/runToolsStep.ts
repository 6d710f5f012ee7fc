import type { HookVerdict } from '../../hooks/types.ts';
import { totalTokens } from '../../models/types.ts';
import { countRapidRefills } from '../../session/compaction.ts';
import { conversationOf } from '../../session/conversation.ts';
import type { Step } from '../decideNextStep.ts';
import { emitAnswer } from '../runHooks.ts';
import { end, nextRequest, type RunningStep, type State } from '../state.ts';
import { INTERRUPTED_FOR_TOOLS } from '../terminal.ts';
import type { Turn } from '../turn.ts';
import { runToolCall } from './runToolCall.ts';
import { prepareCall, toolBatches } from './toolBatches.ts';
import { type ToolCallEnd, withPermissionUpdates } from './toolCallEnd.ts';
import {
  contextMessage,
  countSilence,
  endOfRound,
  notRun,
  runBatchHooks,
  runSideBySide,
  type ToolRound,
  toolUseSummary,
} from './toolRound.ts';

/** The model called tools: run them, append their results, and continue. Results are emitted in call order. */
export async function* runToolsStep(turn: Turn, before: State, step: Step<'runTools'>): RunningStep {
  let state = before;
  // a round without hooks is a plain step: a generator for each of them would cost more than the rest of it
  const { hooks } = turn.deps;
  if (hooks.has('MessageDisplay')) yield* emitAnswer(turn, state, step.message);
  else yield turn.record(step.message);
  const round: ToolRound = { results: [], ends: [] };
  for (const batch of toolBatches(step.toolCalls.map((call) => prepareCall(call, state.toolUseContext.tools)))) {
    const first = batch[0];
    let ends: readonly ToolCallEnd[];
    const over = endOfRound(turn, round);
    if (over && over.reason !== 'tool_deferred') ends = batch.map(({ call }) => notRun(turn, call));
    else if (batch.length === 1 && first) ends = [yield* runToolCall(turn, state, first)];
    else ends = yield* runSideBySide(turn, state, batch);
    for (const { permissionUpdates } of ends) state = withPermissionUpdates(state, permissionUpdates);
    for (const callEnd of ends) {
      round.ends.push(callEnd);
      if (callEnd.deferred) continue;
      const result = turn.record(turn.make.toolResult(callEnd.result, callEnd.output));
      round.results.push(result);
      yield result;
    }
  }
  const over = endOfRound(turn, round);
  if (over?.reason === 'aborted_tools')
    yield turn.record(turn.make.user([{ type: 'text', text: INTERRUPTED_FOR_TOOLS }]));
  if (over) return end(over);
  const verdict = hooks.has('PostToolBatch') ? yield* runBatchHooks(turn, state, round) : NO_VERDICT;
  // the tools have run, so a block cannot mean "try again": it ends the loop
  const stopReason = verdict.prevented ?? verdict.blocks[0];
  if (stopReason !== undefined) return end({ reason: 'hook_stopped', stopReason });

  const { silentRounds, reminders } = countSilence(state, step.message);
  const context = contextMessage(turn, round, [verdict.contexts, reminders]);
  if (context) yield turn.record(context);
  const transition = { reason: 'next_turn' } as const;
  return nextRequest(state, transition, {
    messages: state.messages.append(step.message, ...round.results, ...(context ? [context] : [])),
    maxOutputTokensRecoveryCount: 0,
    hasAskedForOutput: false,
    isRefusalOpen: false,
    hasAttemptedReactiveCompact: state.hasAttemptedReactiveCompact && !isLongCompacted(state),
    stopHookBlocks: 0,
    silentRounds,
    pendingToolUseSummary: toolUseSummary(round.ends),
    autoCompactTracking: counted(state, step),
  });
}

const NO_VERDICT: Pick<HookVerdict, 'prevented' | 'blocks' | 'contexts'> = {
  prevented: null,
  blocks: [],
  contexts: [],
};

/** The provider just counted everything up to this answer, so only what is added later needs estimating. */
function counted(state: State, step: Step<'runTools'>): State['autoCompactTracking'] {
  return {
    ...state.autoCompactTracking,
    countedTokens: totalTokens(step.message.message.usage),
    countedMessages: conversationOf(state.messages).length + 1,
  };
}

/** Several rounds fitted since: a conversation that is too long again has grown, so compacting it helps again. */
function isLongCompacted({ autoCompactTracking: { compactedAt }, turnCount }: State): boolean {
  return countRapidRefills(0, compactedAt === undefined ? undefined : turnCount - compactedAt) === 0;
}
