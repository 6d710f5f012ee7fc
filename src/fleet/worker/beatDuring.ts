import { DEFAULT_LEASE } from '../decisions/leaseTimes.ts';
import type { Beating } from './beatWhile.ts';

type Beats = Pick<Beating, 'store' | 'clock' | 'workerId' | 'incarnation' | 'lease'>;

/** Sends heartbeats of a worker without an agent while it does something else; a silent worker would be taken for dead. */
export async function beatDuring(work: Promise<void>, beats: Beats): Promise<void> {
  const over = new AbortController();
  const beating = beatUntil(over.signal, beats);
  await work.finally(() => over.abort('it is done'));
  await beating;
}

/** `onHeard`: called with the time at which a heartbeat was sent that the store accepted. */
export async function beatUntil(
  over: AbortSignal,
  { store, clock, workerId, incarnation, lease = DEFAULT_LEASE }: Beats,
  onHeard: (sentAt: number) => void = () => {},
): Promise<void> {
  while (!over.aborted) {
    await clock.sleep(lease.beatMs, over);
    if (over.aborted) return;
    const sentAt = clock.now();
    const answer = await store.heartbeat({ workerId, incarnation });
    if (answer.type !== 'unavailable') onHeard(sentAt);
  }
}
