import { conversationOf } from '../session/conversation.ts';
import type { UserMessage } from '../session/messages.ts';
import type { NextStep } from './decideNextStep.ts';
import type { QueryEvent } from './events.ts';
import { INTERRUPTED_FOR_TOOLS } from './interruptStep.ts';
import { runHooks } from './runHooks.ts';
import { runTools, type ToolRound } from './runTools.ts';
import type { State } from './state.ts';
import { end, next, type StepTaken } from './stepTaken.ts';
import { tellAnswer } from './tellAnswer.ts';
import { atOnce, type Telling } from './telling.ts';
import { toolUseSummary } from './toolUseSummary.ts';
import type { Turn } from './turn.ts';

/** The model called tools: run them, append their results, and ask again. */
export async function* runToolsStep(
  turn: Turn,
  state: State,
  step: Extract<NextStep, { type: 'runTools' }>,
): AsyncGenerator<QueryEvent, StepTaken> {
  yield* tellAnswer(turn, state, step.message);
  const round = yield* runTools(turn, state, step.toolCalls);
  if (turn.signal.aborted) {
    yield turn.record(turn.make.user([{ type: 'text', text: INTERRUPTED_FOR_TOOLS }]));
    return end({ reason: 'aborted_tools' });
  }
  const batch = yield* runBatchHooks(turn, state, round);
  const stopReason = round.ends.find((callEnd) => callEnd.prevented !== null)?.prevented ?? batch.stopReason;
  if (stopReason !== null) {
    return end({ reason: 'hook_stopped', stopReason });
  }
  const context = contextMessage(turn, round, batch.contexts);
  if (context) yield turn.record(context);
  const added = [step.message, ...round.results, ...(context ? [context] : [])];
  return next({
    ...state,
    messages: state.messages.append(...added),
    maxOutputTokensRecoveryCount: 0,
    stopHookBlocks: 0,
    pendingToolUseSummary: toolUseSummary(step.toolCalls),
    turnCount: state.turnCount + 1,
    autoCompactTracking: counted(state, step),
    transition: { reason: 'next_turn' },
  });
}

interface BatchAnswer {
  readonly stopReason: string | null;
  readonly contexts: readonly string[];
}

const NOBODY_ASKED: BatchAnswer = { stopReason: null, contexts: [] };

function runBatchHooks(turn: Turn, state: State, round: ToolRound): Telling<BatchAnswer> {
  return turn.deps.hooks.has('PostToolBatch') ? askBatchHooks(turn, state, round) : atOnce(NOBODY_ASKED);
}

async function* askBatchHooks(turn: Turn, state: State, round: ToolRound): AsyncGenerator<QueryEvent, BatchAnswer> {
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
function contextMessage(turn: Turn, round: ToolRound, batchContexts: readonly string[]): UserMessage | undefined {
  if (batchContexts.length === 0 && round.ends.every(({ contexts }) => contexts.length === 0)) return undefined;
  const texts = [round.ends.flatMap((callEnd) => callEnd.contexts), batchContexts].filter((list) => list.length > 0);
  const blocks = texts.map((list) => ({ type: 'text', text: reminder(list.join('\n')) }) as const);
  return turn.make.user(blocks, { isMeta: true });
}

const reminder = (text: string) => `<system-reminder>\n${text}\n</system-reminder>`;

/** The provider just counted everything up to this answer, so only what is added later needs estimating. */
function counted(state: State, step: Extract<NextStep, { type: 'runTools' }>): State['autoCompactTracking'] {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = step.message.message.usage;
  return {
    ...state.autoCompactTracking,
    countedTokens: inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens,
    countedMessages: conversationOf(state.messages).length + 1,
  };
}
