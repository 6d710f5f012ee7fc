import type { Lease } from '../../store/types.ts';
import type { Beating } from './beatWhile.ts';

const BEAT_MS = 15_000;

interface Busy extends Pick<Beating, 'store' | 'clock' | 'workerId' | 'incarnation'> {
  /** Of the task that it holds, if any. */
  readonly lease?: Lease;
}

/** Sends heartbeats of a worker without an agent while it does something else; a silent worker would be taken for dead. */
export async function beatDuring<Result>(work: Promise<Result>, busy: Busy): Promise<Result> {
  const { store, clock, workerId, incarnation, lease } = busy;
  const over = new AbortController();
  const beats = (async () => {
    while (!over.signal.aborted) {
      await clock.sleep(BEAT_MS, over.signal);
      if (!over.signal.aborted) await store.heartbeat({ workerId, incarnation, ...(lease && { lease }) });
    }
  })();
  const result = await work.finally(() => over.abort('it is done'));
  await beats;
  return result;
}
