import { systemClock } from '../../system/clock.ts';

/**
 * A turn may carry a budget of output tokens that it is meant to use up. A model that stops before is nudged to go on,
 * until it has used 90% of it or its continuations no longer bring anything.
 */

const COMPLETION_THRESHOLD = 0.9;
const DIMINISHING_THRESHOLD = 500;
const CONTINUATIONS_BEFORE_DIMINISHING = 3;

/** What one turn remembers of its budget. The only thing that `checkTokenBudget` changes. */
export interface BudgetTracker {
  continuationCount: number;
  lastDeltaTokens: number;
  lastGlobalTurnTokens: number;
  startedAt: number;
}

export interface BudgetCompletion {
  readonly continuationCount: number;
  readonly pct: number;
  readonly turnTokens: number;
  readonly budget: number;
  readonly diminishingReturns: boolean;
  readonly durationMs: number;
}

export type TokenBudgetDecision =
  | {
      readonly action: 'continue';
      readonly nudgeMessage: string;
      readonly continuationCount: number;
      readonly pct: number;
      readonly turnTokens: number;
      readonly budget: number;
    }
  | { readonly action: 'stop'; readonly completionEvent: BudgetCompletion | null };

export function createBudgetTracker(now = systemClock.now()): BudgetTracker {
  return { continuationCount: 0, lastDeltaTokens: 0, lastGlobalTurnTokens: 0, startedAt: now };
}

/** May the turn stop, as far as its budget goes? Subagents have none of their own. */
export function checkTokenBudget(
  tracker: BudgetTracker,
  agentId: string | undefined,
  budget: number | null,
  globalTurnTokens: number,
  now = systemClock.now(),
): TokenBudgetDecision {
  if (agentId || budget === null || budget <= 0) return { action: 'stop', completionEvent: null };
  const turnTokens = globalTurnTokens;
  const pct = Math.round((turnTokens / budget) * 100);
  const delta = globalTurnTokens - tracker.lastGlobalTurnTokens;
  const diminishingReturns =
    tracker.continuationCount >= CONTINUATIONS_BEFORE_DIMINISHING &&
    delta < DIMINISHING_THRESHOLD &&
    tracker.lastDeltaTokens < DIMINISHING_THRESHOLD;
  if (!diminishingReturns && turnTokens < budget * COMPLETION_THRESHOLD) {
    tracker.continuationCount += 1;
    tracker.lastDeltaTokens = delta;
    tracker.lastGlobalTurnTokens = globalTurnTokens;
    const { continuationCount } = tracker;
    const nudgeMessage = getBudgetContinuationMessage(pct, turnTokens, budget);
    return { action: 'continue', nudgeMessage, continuationCount, pct, turnTokens, budget };
  }
  const { continuationCount } = tracker;
  if (!diminishingReturns && continuationCount === 0) return { action: 'stop', completionEvent: null };
  const durationMs = now - tracker.startedAt;
  return {
    action: 'stop',
    completionEvent: { continuationCount, pct, turnTokens, budget, diminishingReturns, durationMs },
  };
}

/** The hidden message that keeps the model working. */
export function getBudgetContinuationMessage(pct: number, turnTokens: number, budget: number): string {
  return `You stopped at ${pct} % of the token budget (${thousands(turnTokens)} of ${thousands(budget)} tokens). Keep working on the task; do not summarise.`;
}

/** `1,234,567`, the same in every locale. */
function thousands(n: number): string {
  return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',');
}
