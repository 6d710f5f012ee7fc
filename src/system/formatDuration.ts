const SECOND_MS = 1_000;
const HOUR_MINUTES = 60;
const DAY_MS = 86_400_000;

/** A measured duration: `850ms`, `2.5s`, `45s`, `3m12s`, `10m`, `3h05m`, `6.5d`. */
export function formatDuration(ms: number): string {
  const whole = Math.round(ms);
  if (whole > 0 && whole < SECOND_MS) return `${whole}ms`;
  if (ms < 59_950) return `${oneDecimal(Math.max(0, ms) / SECOND_MS)}s`;
  return formatSeconds(ms);
}

/** In whole seconds, for ages and remaining time. */
export function formatSeconds(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / SECOND_MS));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < HOUR_MINUTES) return `${minutes}m${second(seconds % 60, 's')}`;
  if (ms >= 2 * DAY_MS) return `${oneDecimal(Math.floor((ms / DAY_MS) * 10) / 10)}d`;
  return `${Math.floor(minutes / HOUR_MINUTES)}h${second(minutes % HOUR_MINUTES, 'm')}`;
}

/** How long ago: `just now`, `42s ago`, `3h05m ago`. */
export function formatAgo(at: number, now: number): string {
  return now - at < 5 * SECOND_MS ? 'just now' : `${formatSeconds(now - at)} ago`;
}

const oneDecimal = (n: number) => n.toFixed(1).replace(/\.0$/, '');

/** The smaller unit, in two digits; empty for zero. */
const second = (n: number, unit: string) => (n === 0 ? '' : `${String(n).padStart(2, '0')}${unit}`);
