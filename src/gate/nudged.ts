import { type BudgetTracker, checkTokenBudget, createBudgetTracker } from '../query/stop/tokenBudget.ts';
import { isSettled } from '../stop/ending.ts';
import { recordDecision } from '../stop/ledger.ts';
import type { Clock } from '../system/clock.ts';
import type { GateSession } from './gateSession.ts';
import type { Answered } from './verdict.ts';

/** A budget of output tokens that the agent is meant to use, for one session. */
export interface TokenBudget {
  readonly tokens: number;
  readonly tracker: BudgetTracker;
}

export const newTokenBudget = (tokens: number, clock: Clock): TokenBudget => ({
  tokens,
  tracker: createBudgetTracker(clock.now()),
});

/** A stop that no check holds is sent back while much of the token budget is left. */
export function nudged(
  answered: Answered,
  { tokens, tracker }: TokenBudget,
  {
    outputTokens,
    session: { sessionId, cwd, world },
  }: { readonly outputTokens: number; readonly session: GateSession },
): Answered {
  const { answer, ending } = answered;
  const isFree = ending === null || ending.type === 'notArmed' || isSettled(ending);
  if (answer.type === 'block' || !isFree) return answered;
  const decision = checkTokenBudget(tracker, undefined, tokens, outputTokens, world.clock.now());
  if (decision.action === 'stop') return answered;
  const reason = decision.nudgeMessage;
  const entry = { type: 'budget', budget: 'tokens', decision: 'continued', reason, source: 'createGate' } as const;
  const notes = recordDecision({ entry, payload: { session_id: sessionId, cwd } }, world);
  return { answer: { ...answer, type: 'block', reason, notes: [...answer.notes, ...notes] }, ending };
}
