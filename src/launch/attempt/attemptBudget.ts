import type { AgentRequest } from '../../hosts/host.ts';
import { leftOf, usedBy, whyOverBudget } from '../../store/budgets.ts';
import type { Attempt, Task } from '../../store/types.ts';

/** What an attempt may spend, of what its task has left. */
export interface AttemptBudget extends Pick<AgentRequest, 'tokenBudget' | 'maxBudgetUsd'> {
  /** Why no agent may be started for it at all; null when one may. */
  readonly usedUp: string | null;
  /** It has a limit that only its own agent can be held to: no other task may share that agent. */
  readonly isLimited: boolean;
}

export const NO_BUDGET: AttemptBudget = { usedUp: null, isLimited: false };

/** Earlier attempts may have reported what they cost after they were settled, so the store has not ended the task yet. */
export function attemptBudget(task: Task, attempts: readonly Attempt[]): AttemptBudget {
  const used = usedBy(attempts, task);
  const { tokens, usd } = leftOf(task, used);
  return {
    usedUp: whyOverBudget(task, used),
    isLimited: tokens !== null || usd !== null,
    ...(tokens !== null && { tokenBudget: Math.floor(tokens) }),
    ...(usd !== null && { maxBudgetUsd: usd }),
  };
}
