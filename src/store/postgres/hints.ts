import type { Clock } from '../../system/clock.ts';
import type { PostgresContext } from './failures.ts';

/** A hint may be lost with its connection, so a waiting process also checks this often. */
const CHECK_EVERY_MS = 5_000;

/**
 * Waits for the next hint, until it is time to check anyway, or until the signal aborts. Listens from the first wait on, with its
 * own connection.
 */
export function watchHints({ sql, schema }: PostgresContext, clock: Clock) {
  const waiting = new Set<() => void>();
  const wakeAll = () => {
    for (const wake of waiting) wake();
  };
  let listening = false;
  const listen = async () => {
    if (listening) return;
    listening = true;
    try {
      // also wakes after a reconnect, because hints in between are lost
      await sql.listen(`${schema}.work`, wakeAll, wakeAll);
    } catch {
      listening = false;
    }
  };
  return async (withinMs: number, signal: AbortSignal | undefined): Promise<void> => {
    void listen();
    const woken = new AbortController();
    const wake = () => woken.abort();
    waiting.add(wake);
    signal?.addEventListener('abort', wake, { once: true });
    try {
      await clock.sleep(Math.min(withinMs, CHECK_EVERY_MS), woken.signal);
    } finally {
      waiting.delete(wake);
      signal?.removeEventListener('abort', wake);
    }
  };
}
