/** How long to try for the write lock before the store counts as busy. */
export const BUSY_FOR_MS = 5_000;

/**
 * SQLite waits for a lock with growing sleeps, so some of sixteen processes got nothing for seconds. Short random waits give each
 * the same odds. They are real, whatever clock the store has: the lock is held by another process.
 */
export async function retryBusy(attempt: () => object): Promise<object> {
  const first = attempt();
  // `performance` is loaded at its first use, which a short-lived process usually avoids here
  if (!isBusy(first)) return first;
  const endAt = performance.now() + BUSY_FOR_MS;
  for (;;) {
    await shortWait();
    const outcome = attempt();
    if (!isBusy(outcome) || performance.now() > endAt) return outcome;
  }
}

export function isBusy(outcome: object): boolean {
  return 'cause' in outcome && outcome.cause === 'busy';
}

export function shortWait(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 2));
}
