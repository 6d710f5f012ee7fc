import { countRapidRefills } from '../../session/compaction.ts';
import { conversationOf } from '../../session/conversation.ts';
import type { NextStep } from '../decideNextStep.ts';
import type { QueryEvent } from '../events.ts';
import { INTERRUPTED_FOR_TOOLS } from '../interruptStep.ts';
import { countSilence } from '../silentRounds.ts';
import type { State } from '../state.ts';
import { end, next, type StepTaken } from '../stepTaken.ts';
import { tellAnswer } from '../tellAnswer.ts';
import type { Turn } from '../turn.ts';
import { prepareCall } from './prepareCall.ts';
import { runToolCall } from './runToolCall.ts';
import { toolBatches } from './toolBatches.ts';
import type { ToolCallEnd } from './toolCallEnd.ts';
import {
  askBatchHooks,
  contextMessage,
  endOfRound,
  isOver,
  notRun,
  type RoundAnswer,
  runSideBySide,
  type ToolRound,
} from './toolRound.ts';
import { toolUseSummary } from './toolUseSummary.ts';
import { withPermissionUpdates } from './withPermissionUpdates.ts';

const NOBODY_ASKED: RoundAnswer = { stopReason: null, contexts: [] };

/** The model called tools: run them, append their results, and ask again. Results are told in call order. */
export async function* runToolsStep(
  turn: Turn,
  before: State,
  step: Extract<NextStep, { type: 'runTools' }>,
): AsyncGenerator<QueryEvent, StepTaken> {
  const { hooks } = turn.deps;
  let state = before;
  if (hooks.has('MessageDisplay')) yield* tellAnswer(turn, state, step.message);
  else yield turn.record(step.message);

  const round: ToolRound = { results: [], ends: [] };
  for (const batch of toolBatches(step.toolCalls.map((call) => prepareCall(call, state.toolUseContext.tools)))) {
    const first = batch[0];
    let ends: readonly ToolCallEnd[];
    if (isOver(turn, round)) ends = batch.map(({ call }) => notRun(turn, call));
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
  const asked = hooks.has('PostToolBatch') ? yield* askBatchHooks(turn, state, round) : NOBODY_ASKED;
  if (asked.stopReason !== null) return end({ reason: 'hook_stopped', stopReason: asked.stopReason });

  const { silentRounds, reminders } = countSilence(state, step.message);
  const context = contextMessage(turn, round, [asked.contexts, reminders]);
  if (context) yield turn.record(context);
  return next({
    ...state,
    messages: state.messages.append(step.message, ...round.results, ...(context ? [context] : [])),
    maxOutputTokensRecoveryCount: 0,
    hasAskedForOutput: false,
    isRefusalOpen: false,
    hasAttemptedReactiveCompact: state.hasAttemptedReactiveCompact && !isLongCompacted(state),
    stopHookBlocks: 0,
    silentRounds,
    pendingToolUseSummary: toolUseSummary(step.toolCalls),
    turnCount: state.turnCount + 1,
    autoCompactTracking: counted(state, step),
    transition: { reason: 'next_turn' },
  });
}

/** The provider just counted everything up to this answer, so only what is added later needs estimating. */
function counted(state: State, step: Extract<NextStep, { type: 'runTools' }>): State['autoCompactTracking'] {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = step.message.message.usage;
  return {
    ...state.autoCompactTracking,
    countedTokens: inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens,
    countedMessages: conversationOf(state.messages).length + 1,
  };
}

/** Several rounds of work fitted since: a conversation that is too long again has grown, and compacting it helps again. */
function isLongCompacted({ autoCompactTracking: { compactedAt }, turnCount }: State): boolean {
  return countRapidRefills(0, compactedAt === undefined ? undefined : turnCount - compactedAt) === 0;
}
