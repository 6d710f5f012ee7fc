import { textIn } from '../../models/types.ts';
import { textOf } from '../../session/conversation.ts';
import type { AssistantMessage } from '../../session/messages.ts';
import { formatTokens } from '../../system/formatTokens.ts';
import type { Step } from '../decideNextStep.ts';
import type { QueryEvent } from '../events.ts';
import { emitAnswer } from '../runHooks.ts';
import { end, nextRequest, type RunningStep, type State } from '../state.ts';
import type { Turn } from '../turn.ts';
import { afterBlock, changedSince, type SentBack, workNow } from './stopHistory.ts';
import { stopPipeline } from './stopPipeline.ts';
import { type CapReason, decideStop, type StopHookResult, type StopLimits } from './stopResult.ts';
import { type BudgetCompletion, checkTokenBudget } from './tokenBudget.ts';

/** As in Claude Code such a turn is completed; the person must see why there is no answer. */
const EMPTY_ANSWER = "The model's answer is empty, although it was asked again.";

/** The model answered without calling a tool: the one place where a turn may end well. */
export async function* checkStopStep(turn: Turn, state: State, step: Step<'checkStop'>): RunningStep {
  yield* emitAnswer(turn, state, step.message);
  if (textOf(step.message) === '') yield turn.warn(EMPTY_ANSWER);
  const { toolUseContext, stops } = state;
  // unknown for the first stop, so an ordinary turn does not pay for it
  const changed = stops.work === null ? null : changedSince(stops, await workNow(turn, toolUseContext));
  const result = yield* stopPipeline(turn, {
    messagesForQuery: state.messages,
    assistantMessages: [...answersOf(state), step.message],
    ...{ toolUseContext, stopHookActive: state.stopHookActive, history: stops, changed },
  });
  const isDone = toolUseContext.agentId === undefined && turn.deps.progress.isDone();
  const decision = decideStop(result, limitsOf(turn, state, { changed, isDone, isOwn: isOwn(turn, result) }));
  if (decision.type === 'prevented') return end({ reason: 'stop_hook_prevented', stopReason: result.stopReason });
  if (decision.type === 'capped') return yield* endCapped(turn, result, decision);
  if (decision.type === 'pass') return yield* spendBudget(turn, state, step.message);
  const feedback = [...result.blockingErrors, ...result.contexts].map(turn.record);
  yield* feedback;
  const transition = { reason: decision.blocked ? 'stop_hook_blocking' : 'stop_hook_retry' } as const;
  const work = await workNow(turn, toolUseContext);
  return nextRequest(state, transition, {
    messages: state.messages.append(step.message, ...feedback),
    // `hasAttemptedReactiveCompact` stays: resetting it made compact → too long → block → compact loops
    maxOutputTokensRecoveryCount: 0,
    silentRounds: 0,
    maxOutputTokensOverride: undefined,
    stopHookActive: true,
    stopHookBlocks: state.stopHookBlocks + 1,
    stops: afterBlock(stops, { result, changed, isDone, work, isOwn: isOwn(turn, result) }),
  });
}

/** Our own gates have limits of their own, and a worker's stops are meant to be sent back. */
function isOwn({ deps }: Turn, { blockedBy, isWake, contexts }: StopHookResult): boolean {
  const areOwn = blockedBy.length > 0 && contexts.length === 0 && blockedBy.every(deps.progress.isOwnGate);
  return isWake || areOwn;
}

/** What each cap counts, with this stop. */
function limitsOf(
  { config }: Turn,
  { stopHookBlocks, stops }: State,
  now: Pick<SentBack, 'changed' | 'isDone' | 'isOwn'>,
): StopLimits {
  const { unchanged, afterDone, blocks } = stops;
  const { stopHookBlockCap, stopHookStallCap, stopHookDoneCap, stopHookTurnCap } = config;
  return {
    blocks: {
      noToolCall: stopHookBlocks,
      noChange: !now.isOwn && now.changed === false ? unchanged + 1 : 0,
      afterDone: !now.isOwn && now.isDone ? afterDone : 0,
      inTurn: now.isOwn ? 0 : blocks,
    },
    caps: {
      noToolCall: stopHookBlockCap,
      // more than without a tool call: a tool may change what is not seen here, such as a database
      noChange: stopHookStallCap,
      afterDone: stopHookDoneCap,
      inTurn: stopHookTurnCap,
    },
  };
}

/** The turn's answers so far; a job's state is read from all of them, not just the last. */
function answersOf({ messages, turnStartsAt }: State): AssistantMessage[] {
  return messages
    .toArray()
    .slice(turnStartsAt)
    .filter((message) => message.type === 'assistant');
}

type Capped = Extract<ReturnType<typeof decideStop>, { type: 'capped' }>;

const CAPPED: Readonly<Record<CapReason, { readonly what: string; readonly variable: string }>> = {
  noToolCall: {
    what: 'blocks in a row without a tool call between them',
    variable: 'STOPGATE_STOP_HOOK_BLOCK_CAP',
  },
  noChange: {
    what: 'blocks in a row without a change of files or tasks',
    variable: 'STOPGATE_STOP_HOOK_STALL_CAP',
  },
  afterDone: {
    what: 'blocks in a row although the definition of done was met',
    variable: 'STOPGATE_STOP_HOOK_DONE_CAP',
  },
  inTurn: { what: 'blocks in one turn', variable: 'STOPGATE_STOP_HOOK_TURN_CAP' },
};

async function* endCapped(turn: Turn, result: StopHookResult, { blocks, why }: Capped): RunningStep {
  const objection = result.blockingErrors[0] ?? result.contexts[0];
  const lastBlock = objection?.type === 'user' ? textIn(objection.message.content) : '';
  const who = result.blockedBy.length > 0 ? ` by ${result.blockedBy.join(' and ')}` : '';
  const { what, variable } = CAPPED[why];
  const text = `The turn was ended although its stop was blocked${who}: ${blocks} ${what}. The last reason: ${lastBlock} (${variable} sets the number, 0 removes it.)`;
  yield turn.record(turn.make.system('informational', text, { level: 'warning', data: { blocks, lastBlock } }));
  turn.deps.logEvent('stop_hook_capped', { blocks, why });
  return end({ reason: 'stop_hook_capped', blocks, lastBlock, ...(why !== 'noToolCall' && { why }) });
}

/** No hook objects to the stop; a token budget that is not used up does. Without one the turn is over. */
async function* spendBudget(turn: Turn, state: State, answer: AssistantMessage): RunningStep {
  const { deps, config, budgetTracker } = turn;
  const used = deps.ledger.turnOutputTokens - turn.tokensBefore;
  const { agentId } = state.toolUseContext;
  const decision = checkTokenBudget(budgetTracker, agentId, config.tokenBudget, used, deps.clock.now());
  if (decision.action === 'stop') {
    if (decision.completionEvent) yield* reportCompletion(turn, decision.completionEvent);
    return end({ reason: 'completed' });
  }
  const { pct, turnTokens, budget, continuationCount } = decision;
  yield { type: 'token_budget', pct, turnTokens, budget, continuationCount };
  const nudge = turn.record(turn.make.hidden(decision.nudgeMessage));
  yield nudge;
  const messages = state.messages.append(answer, nudge);
  return nextRequest(
    state,
    { reason: 'token_budget_continuation' },
    {
      messages,
      maxOutputTokensRecoveryCount: 0,
      silentRounds: 0,
      stops: { ...state.stops, attempts: state.stops.attempts + 1 },
    },
  );
}

/** Emitted when a turn starts, so that it is clear why it continues. */
export function* emitBudget({ config }: Turn): Generator<QueryEvent, void> {
  const { tokenBudget: budget } = config;
  if (budget !== null) yield { type: 'token_budget', pct: 0, turnTokens: 0, budget, continuationCount: 0 };
}

function* reportCompletion(turn: Turn, done: BudgetCompletion): Generator<QueryEvent, void> {
  const { pct, continuationCount, budget, diminishingReturns } = done;
  turn.deps.logEvent('token_budget_completed', { ...done });
  const why = diminishingReturns
    ? 'The last continuations brought almost nothing, so it ends'
    : 'The token budget is used';
  const times = `${continuationCount} continuation${continuationCount === 1 ? '' : 's'}`;
  const text = `${why} at ${pct}% of ${formatTokens(budget)} tokens after ${times}.`;
  yield turn.record(turn.make.system('token_budget', text, { level: 'notice', data: { ...done } }));
}
