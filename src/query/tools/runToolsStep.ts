import type { HookVerdict } from '../../hooks/types.ts';
import { totalTokens } from '../../models/types.ts';
import { countRapidRefills } from '../../session/compaction.ts';
import { conversationOf } from '../../session/conversation.ts';
import type { UserMessage } from '../../session/messages.ts';
import type { Step } from '../decideNextStep.ts';
import { emitAnswer } from '../runHooks.ts';
import { end, nextRequest, type RunningStep, type State, type StepTaken } from '../state.ts';
import { INTERRUPTED_FOR_TOOLS, type Terminal } from '../terminal.ts';
import type { Turn } from '../turn.ts';
import { prepareCall, toolBatches } from './toolBatches.ts';
import { withPermissionUpdates } from './toolCallEnd.ts';
import {
  addEnds,
  contextMessage,
  countSilence,
  endOfRound,
  runBatch,
  runBatchHooks,
  type ToolRound,
  toolUseSummary,
} from './toolRound.ts';

/**
 * The model called tools: run them, append their results, and continue. Results are emitted in call order. What does not
 * `yield` is in plain functions: each place where a generator can pause costs compiled code for all that is in use there.
 */
export async function* runToolsStep(turn: Turn, before: State, step: Step<'runTools'>): RunningStep {
  let state = before;
  // a round without hooks is a plain step: a generator for each of them would cost more than the rest of it
  const { hooks } = turn.deps;
  if (hooks.has('MessageDisplay')) yield* emitAnswer(turn, state, step.message);
  else yield turn.record(step.message);
  const round: ToolRound = { results: [], ends: [] };
  for (const batch of toolBatches(step.toolCalls.map((call) => prepareCall(call, state.toolUseContext.tools)))) {
    const running = runBatch(turn, state, round, batch);
    const ended = Array.isArray(running) ? running : yield* running;
    const ends = Array.isArray(ended) ? ended : [ended];
    for (const { permissionUpdates } of ends) state = withPermissionUpdates(state, permissionUpdates);
    for (const result of addEnds(turn, round, ends)) yield result;
  }
  const over = endOfRound(turn, round);
  const verdict = !over && hooks.has('PostToolBatch') ? yield* runBatchHooks(turn, state, round) : NO_VERDICT;
  const { message, taken } = afterRound(turn, state, step, { round, verdict, over });
  if (message) yield turn.record(message);
  return taken;
}

const NO_VERDICT: BatchVerdict = { prevented: null, blocks: [], contexts: [] };

type BatchVerdict = Pick<HookVerdict, 'prevented' | 'blocks' | 'contexts'>;

interface RoundEnd {
  readonly round: ToolRound;
  readonly verdict: BatchVerdict;
  readonly over: Terminal | undefined;
}

/** The step after a round, and what is emitted before it. */
function afterRound(
  turn: Turn,
  state: State,
  step: Step<'runTools'>,
  { round, verdict, over }: RoundEnd,
): { readonly message?: UserMessage | undefined; readonly taken: StepTaken } {
  if (over?.reason === 'aborted_tools')
    return { message: turn.make.user([{ type: 'text', text: INTERRUPTED_FOR_TOOLS }]), taken: end(over) };
  if (over) return { taken: end(over) };
  // the tools have run, so a block cannot mean "try again": it ends the loop
  const stopReason = verdict.prevented ?? verdict.blocks[0];
  if (stopReason !== undefined) return { taken: end({ reason: 'hook_stopped', stopReason }) };

  const { silentRounds, reminders } = countSilence(state, step.message);
  const message = contextMessage(turn, round, { contexts: verdict.contexts, reminders });
  const taken = nextRequest(
    state,
    { reason: 'next_turn' },
    {
      messages: state.messages.append(step.message, ...round.results, ...(message ? [message] : [])),
      maxOutputTokensRecoveryCount: 0,
      hasAskedForOutput: false,
      isRefusalOpen: false,
      hasAttemptedReactiveCompact: state.hasAttemptedReactiveCompact && !isLongCompacted(state),
      stopHookBlocks: 0,
      silentRounds,
      pendingToolUseSummary: toolUseSummary(round.ends),
      autoCompactTracking: counted(state, step),
    },
  );
  return { message, taken };
}

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
