import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when the condition holds; throws in words when it does not come true in time. */
export async function until(what: string, holds: () => boolean, withinMs: number): Promise<void> {
  const endAt = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > endAt) throw new Error(`In ${withinMs} ms it did not happen that ${what}`);
    await sleep(10);
  }
}
