/**
 * An agent on a clock that it cannot see spends all of it reading. After every tool call it is told what is left, in
 * words that grow more urgent. `profiles/default/hooks/budget-countdown.sh` says the same to the byte without Node.
 */

export type BudgetTier = 'plenty' | 'wrapUp' | 'stopEditing' | 'expired';

const WRAP_UP_SECONDS = 5 * 60;
const STOP_EDITING_SECONDS = 2 * 60;

export function budgetTier(remainingSeconds: number): BudgetTier {
  if (remainingSeconds <= 0) return 'expired';
  if (remainingSeconds < STOP_EDITING_SECONDS) return 'stopEditing';
  return remainingSeconds <= WRAP_UP_SECONDS ? 'wrapUp' : 'plenty';
}

const WORDS: { readonly [Tier in BudgetTier]: (left: string) => string } = {
  plenty: (left) => `BUDGET: ${left} remaining`,
  wrapUp: (left) => `▲ BUDGET: ${left} remaining — wrap up and commit soon`,
  stopEditing: (left) => `▲▲▲ BUDGET: ${left} — STOP EDITING, COMMIT NOW, EXIT ▲▲▲`,
  expired: () => '▲▲▲ BUDGET EXPIRED — COMMIT NOW AND EXIT ▲▲▲',
};

/** What an agent is told that has this long left. */
export function budgetMessage(remainingSeconds: number): string {
  const seconds = Math.floor(remainingSeconds);
  return WORDS[budgetTier(seconds)](remainingInWords(seconds));
}

/** `45s`, `3m12s`, `1h04m`. */
export function remainingInWords(seconds: number): string {
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${pad(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h${pad(minutes % 60)}m`;
}

const pad = (n: number) => String(n).padStart(2, '0');

/** What a PostToolUse hook prints; plain text of such a hook never reaches a model. */
export function countdownOutput(remainingSeconds: number): string {
  const additionalContext = budgetMessage(remainingSeconds);
  return `${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext } })}\n`;
}

/** `20m`, `1h30m`, `90s`, `1200` (seconds) as seconds; null when it is none of these. */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim();
  if (/^\d{1,9}$/.test(trimmed)) return positive(Number(trimmed));
  const [whole, hours, minutes, seconds] = /^(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,7})s)?$/.exec(trimmed) ?? [];
  if (!whole) return null;
  return positive(Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0));
}

const positive = (seconds: number) => (seconds > 0 ? seconds : null);
