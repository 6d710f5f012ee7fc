import type { Lease } from '../../store/types.ts';
import { DEFAULT_LEASE, type LeaseTimes } from '../decisions/leaseTimes.ts';
import type { Beating } from './beatWhile.ts';

interface Beats extends Pick<Beating, 'store' | 'clock' | 'workerId' | 'incarnation'> {
  /** Required: beats that are too rare for the store's lease would lose the task. */
  readonly lease: LeaseTimes | undefined;
  /** Of the task that it holds, if any. */
  readonly holding?: Lease;
}

/** Sends heartbeats of a worker without an agent while it does something else; a silent worker would be taken for dead. */
export async function beatDuring<Result>(work: Promise<Result>, beats: Beats): Promise<Result> {
  const over = new AbortController();
  // not awaited: a heartbeat can hang for as long as a network drops packets, and what was finished must be on disk by then
  beatUntil(over.signal, beats).catch(() => {});
  return work.finally(() => over.abort('it is done'));
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
