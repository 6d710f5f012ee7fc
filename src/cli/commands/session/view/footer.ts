import { formatSeconds } from '../../../../system/formatDuration.ts';
import { formatTokens } from '../../../../system/formatTokens.ts';
import type { Paint } from '../../../output/colors.ts';

export interface FooterFacts {
  readonly model: string;
  readonly mode: string;
  readonly spentUsd: number | null;
  readonly outputTokens: number;
  /** Null without a token budget. */
  readonly budget: { readonly pct: number; readonly tokens: number } | null;
  /** Seconds left of a time budget; null without one. */
  readonly secondsLeft: number | null;
  /** The names of the armed checks: what the session is held to. */
  readonly goal: readonly string[];
  readonly isWorking: boolean;
}

/** One line below the input: what holds, what is left, and the key that matters now. */
export function footerText(facts: FooterFacts, paint: Paint): string {
  const { model, mode, spentUsd, outputTokens, budget, secondsLeft, goal, isWorking } = facts;
  const parts = [
    isWorking ? 'esc to interrupt' : '/help',
    model,
    `${mode} mode (shift+tab)`,
    goal.length === 0 ? 'no checks' : `checks: ${goal.join(', ')}`,
    `${formatTokens(outputTokens)} tokens`,
    spentUsd === null ? 'price unknown' : `$${spentUsd.toFixed(2)}`,
    ...(budget === null ? [] : [`${budget.pct}% of ${formatTokens(budget.tokens)} tokens`]),
    ...(secondsLeft === null ? [] : [`${formatSeconds(secondsLeft * 1000)} left`]),
  ];
  return paint('dim', parts.join(' · '));
}
