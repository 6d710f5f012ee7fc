import type { Beating } from './beatWhile.ts';

const BEAT_MS = 15_000;

/** Sends heartbeats of a worker without a task while it does something else; a silent worker would be taken for dead. */
export async function beatDuring(
  work: Promise<void>,
  { store, clock, workerId, incarnation }: Pick<Beating, 'store' | 'clock' | 'workerId' | 'incarnation'>,
): Promise<void> {
  const over = new AbortController();
  const beats = (async () => {
    while (!over.signal.aborted) {
      await clock.sleep(BEAT_MS, over.signal);
      if (!over.signal.aborted) await store.heartbeat({ workerId, incarnation });
    }
  })();
  await work.finally(() => over.abort('it is done'));
  await beats;
}
