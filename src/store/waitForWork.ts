import type { Clock } from '../system/clock.ts';
import type { WaitForWorkOutcome, WaitForWorkRequest } from './types.ts';
import type { Unavailable } from './unavailable.ts';

/** Whether a task is ready, at the lowest cost for the store. */
export interface Probe {
  readonly type: 'probe';
  readonly due: boolean;
  /** Until the next task is due, by the store's clock. */
  readonly dueInMs: number | null;
}

interface WorkHints {
  readonly clock: Clock;
  probe(request: WaitForWorkRequest): Promise<Probe | Unavailable>;
  /** Resolves on a change, after this time, or when the signal aborts; never rejects. */
  changed(withinMs: number, signal: AbortSignal | undefined): Promise<void>;
}

/** Checks, waits for a change or for the next delayed task, and checks again. */
export async function waitForWork(hints: WorkHints, request: WaitForWorkRequest): Promise<WaitForWorkOutcome> {
  const { signal, timeoutMs } = request;
  const endAt = hints.clock.now() + timeoutMs;
  for (;;) {
    const probe = await hints.probe(request);
    if (signal?.aborted) return { type: 'aborted' };
    if (probe.type === 'unavailable') return probe;
    if (probe.due) return { type: 'ready' };
    const leftMs = endAt - hints.clock.now();
    if (leftMs <= 0) return { type: 'timedOut' };
    await hints.changed(Math.min(leftMs, probe.dueInMs ?? leftMs), signal);
  }
}
