import type { AssistantMessage } from '../../session/messages.ts';
import type { QueryEvent } from '../events.ts';
import type { State } from '../state.ts';
import { end, next, type StepTaken } from '../stepTaken.ts';
import type { Turn } from '../turn.ts';
import { type BudgetCompletion, checkTokenBudget } from './tokenBudget.ts';

/** Nobody objects to the stop; a token budget that is not used up does. Without one the turn is over. */
export async function* spendBudget(
  turn: Turn,
  state: State,
  answer: AssistantMessage,
): AsyncGenerator<QueryEvent, StepTaken> {
  const { deps, config, budgetTracker } = turn;
  const used = deps.ledger.turnOutputTokens - turn.tokensBefore;
  const { agentId } = state.toolUseContext;
  const decision = checkTokenBudget(budgetTracker, agentId, config.tokenBudget, used, deps.clock.now());
  if (decision.action === 'stop') {
    if (decision.completionEvent) yield* tellCompletion(turn, decision.completionEvent);
    return end({ reason: 'completed' });
  }
  const { pct, turnTokens, budget, continuationCount } = decision;
  yield { type: 'token_budget', pct, turnTokens, budget, continuationCount };
  const nudge = turn.record(turn.make.user([{ type: 'text', text: decision.nudgeMessage }], { isMeta: true }));
  yield nudge;
  return next({
    ...state,
    messages: state.messages.append(answer, nudge),
    maxOutputTokensRecoveryCount: 0,
    silentRounds: 0,
    pendingToolUseSummary: undefined,
    turnCount: state.turnCount + 1,
    transition: { reason: 'token_budget_continuation' },
  });
}

/** Said when a turn starts, so that nobody wonders why it goes on. */
export function* tellBudget({ config }: Turn): Generator<QueryEvent, void> {
  const { tokenBudget: budget } = config;
  if (budget !== null) yield { type: 'token_budget', pct: 0, turnTokens: 0, budget, continuationCount: 0 };
}

async function* tellCompletion(turn: Turn, done: BudgetCompletion): AsyncGenerator<QueryEvent, void> {
  const { pct, continuationCount, turnTokens, budget, diminishingReturns, durationMs } = done;
  turn.deps.logEvent('token_budget_completed', {
    pct,
    continuationCount,
    turnTokens,
    budget,
    diminishingReturns,
    durationMs,
  });
  const why = diminishingReturns
    ? 'The last continuations brought almost nothing, so it ends'
    : 'The token budget is used';
  const times = `${continuationCount} continuation${continuationCount === 1 ? '' : 's'}`;
  const text = `${why} at ${pct}% of ${budget} tokens after ${times}.`;
  yield turn.record(turn.make.system('token_budget', text, { level: 'notice', data: { ...done } }));
}
