/** The longest delay, without jitter. */
const LONGEST_MS = 15 * 60_000;

/** Doubled at each further failure, then spread by ±50%: tasks that failed together must not return together. */
export function retryDelayMs(backoffMs: number, failures: number, jitter: number): number {
  const doubled = backoffMs * 2 ** Math.max(0, failures - 1);
  return Math.floor(Math.min(doubled, LONGEST_MS) * (0.5 + jitter));
}
