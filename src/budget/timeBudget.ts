/**
 * An agent that cannot see its clock spends all its time reading, so it gets a countdown after every batch of tool calls.
 * `profiles/default/hooks/budget-countdown.sh` prints the same bytes without Node.
 */

export type BudgetTier = 'plenty' | 'wrapUp' | 'stopEditing' | 'expired';

/** The whole budget, if known. An object, so that `budgetMessage` can be passed to `map`. */
export interface WholeBudget {
  readonly totalSeconds?: number | undefined;
}

export interface TierStarts {
  /** At this many seconds left, or fewer. */
  readonly wrapUp: number;
  /** With fewer than this many seconds left. */
  readonly stopEditing: number;
}

const USUAL_STARTS: TierStarts = { wrapUp: 5 * 60, stopEditing: 2 * 60 };
/** A shorter budget would show STOP EDITING for more than half of its time. */
const SHORT_BUDGET_SECONDS = 4 * 60;

/** When the message changes; a short budget uses its last half and its last quarter. */
export function tierStarts({ totalSeconds }: WholeBudget = {}): TierStarts {
  if (totalSeconds === undefined || totalSeconds >= SHORT_BUDGET_SECONDS) return USUAL_STARTS;
  return { wrapUp: Math.floor(totalSeconds / 2), stopEditing: Math.floor(totalSeconds / 4) };
}

export function budgetTier(remainingSeconds: number, whole?: WholeBudget): BudgetTier {
  const { wrapUp, stopEditing } = tierStarts(whole);
  if (remainingSeconds <= 0) return 'expired';
  if (remainingSeconds < stopEditing) return 'stopEditing';
  return remainingSeconds <= wrapUp ? 'wrapUp' : 'plenty';
}

const MESSAGES: { readonly [Tier in BudgetTier]: (left: string) => string } = {
  plenty: (left) => `BUDGET: ${left} remaining`,
  wrapUp: (left) => `▲ BUDGET: ${left} remaining — wrap up and commit soon`,
  stopEditing: (left) => `▲▲▲ BUDGET: ${left} — STOP EDITING, COMMIT NOW, EXIT ▲▲▲`,
  expired: () => '▲▲▲ BUDGET EXPIRED — COMMIT NOW AND EXIT ▲▲▲',
};

export function budgetMessage(remainingSeconds: number, whole?: WholeBudget): string {
  const seconds = Math.floor(remainingSeconds);
  return MESSAGES[budgetTier(seconds, whole)](formatRemaining(seconds));
}

/** `45s`, `3m12s`, `5m00s`, `1h04m`: a clock that counts down keeps its zeros. */
export function formatRemaining(seconds: number): string {
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${pad(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h${pad(minutes % 60)}m`;
}

const pad = (n: number) => String(n).padStart(2, '0');

/** The output of a hook after tool calls, as JSON: plain text of such a hook never reaches the model. */
export function countdownOutput(remainingSeconds: number, hookEventName = 'PostToolUse', whole?: WholeBudget): string {
  const additionalContext = budgetMessage(remainingSeconds, whole);
  return `${JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext } })}\n`;
}

/** `20m`, `1h30m`, `90s`, `1d`, `2w`, `1200` (seconds) as seconds; null when it is none of these. */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim();
  if (/^\d{1,9}$/.test(trimmed)) return positive(Number(trimmed));
  const [whole, ...counts] = DURATION.exec(trimmed) ?? [];
  if (!whole) return null;
  return positive(counts.reduce((sum, count, at) => sum + Number(count ?? 0) * (UNIT_SECONDS[at] ?? 0), 0));
}

const DURATION = /^(?:(\d{1,4})w)?(?:(\d{1,4})d)?(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,7})s)?$/;
/** Of weeks, days, hours, minutes and seconds. */
const UNIT_SECONDS = [604_800, 86_400, 3600, 60, 1];

const positive = (seconds: number) => (seconds > 0 ? seconds : null);
