import { DEFAULT_LEASE } from '../decisions/leaseTimes.ts';
import type { Beating } from './beatWhile.ts';

/** Sends heartbeats of a worker without a task while it does something else; a silent worker would be taken for dead. */
export async function beatDuring(
  work: Promise<void>,
  {
    store,
    clock,
    workerId,
    incarnation,
    lease = DEFAULT_LEASE,
  }: Pick<Beating, 'store' | 'clock' | 'workerId' | 'incarnation' | 'lease'>,
): Promise<void> {
  const over = new AbortController();
  const beats = (async () => {
    while (!over.signal.aborted) {
      await clock.sleep(lease.beatMs, over.signal);
      if (!over.signal.aborted) await store.heartbeat({ workerId, incarnation });
    }
  })();
  await work.finally(() => over.abort('it is done'));
  await beats;
}
