import { formatSeconds } from '../../../../system/formatDuration.ts';
import { formatTokens } from '../../../../system/formatTokens.ts';
import type { Paint } from '../../../output/colors.ts';

export interface FooterFacts {
  readonly model: string;
  readonly mode: string;
  readonly spentUsd: number | null;
  readonly outputTokens: number;
  /** How much of the context window the conversation takes: 0 to 1. */
  readonly contextShare: number;
  /** Null without a token budget. */
  readonly budget: { readonly pct: number; readonly tokens: number } | null;
  /** Seconds left of a time budget; null without one. */
  readonly secondsLeft: number | null;
  /** The names of the armed checks: what the session is held to. */
  readonly goal: readonly string[];
  readonly isWorking: boolean;
}

/** Below the input: what is left and the key that matters now come first, for a narrow terminal cuts the end. */
export function footerLines(facts: FooterFacts, paint: Paint): readonly string[] {
  const { model, mode, spentUsd, outputTokens, contextShare, budget, secondsLeft, goal, isWorking } = facts;
  const parts = [
    isWorking ? 'esc to interrupt' : '/help',
    ...(secondsLeft === null ? [] : [`${formatSeconds(secondsLeft * 1000)} left`]),
    ...(budget === null ? [] : [`${budget.pct}% of ${formatTokens(budget.tokens)} tokens`]),
    `${mode} mode (shift+tab)`,
    goal.length === 0 ? 'no checks' : `checks: ${goal.join(', ')}`,
    spentUsd === null ? 'price unknown' : `$${spentUsd.toFixed(2)}`,
    `${formatTokens(outputTokens)} tokens`,
    `${Math.round(100 * contextShare)}% context`,
    model.slice(model.indexOf('/') + 1),
  ];
  return [paint('dim', parts.join(' · '))];
}
