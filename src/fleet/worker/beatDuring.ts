import type { Lease } from '../../store/types.ts';
import { DEFAULT_LEASE } from '../decisions/leaseTimes.ts';
import type { Beating } from './beatWhile.ts';

interface Beats extends Pick<Beating, 'store' | 'clock' | 'workerId' | 'incarnation' | 'lease'> {
  /** Of the task that it holds, if any. */
  readonly holding?: Lease;
}

/** Sends heartbeats of a worker without an agent while it does something else; a silent worker would be taken for dead. */
export async function beatDuring<Result>(work: Promise<Result>, beats: Beats): Promise<Result> {
  const over = new AbortController();
  const beating = beatUntil(over.signal, beats);
  const result = await work.finally(() => over.abort('it is done'));
  await beating;
  return result;
}

/** `onHeard`: called with the time at which a heartbeat was sent that the store accepted. */
export async function beatUntil(
  over: AbortSignal,
  { store, clock, workerId, incarnation, lease = DEFAULT_LEASE, holding }: Beats,
  onHeard: (sentAt: number) => void = () => {},
): Promise<void> {
  while (!over.aborted) {
    await clock.sleep(lease.beatMs, over);
    if (over.aborted) return;
    const sentAt = clock.now();
    const answer = await store.heartbeat({ workerId, incarnation, ...(holding && { lease: holding }) });
    if (answer.type !== 'unavailable') onHeard(sentAt);
  }
}
