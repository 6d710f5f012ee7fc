import type { Clock } from '../system/clock.ts';

const TRIES = 10;
const RETRY_MS = 3_000;

/** What took minutes must not be lost by a short outage of the store. */
export async function throughOutage<Answer extends { readonly type: string }>(
  ask: () => Promise<Answer>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await ask();
    if (answer.type !== 'unavailable' || tries === TRIES || signal.aborted) return answer;
    await clock.sleep(RETRY_MS, signal);
  }
}
