import type { Worker } from '../../store/types.ts';

/** What idle time is computed from. */
export interface IdleWorker extends Pick<Worker, 'registeredAt' | 'lastClaimedAt' | 'lastSettledAt'> {
  readonly taskId: string | number | null;
  /** Since when the observer has been awake: a machine that slept does not make a worker idle. */
  readonly awakeSince?: number | null | undefined;
}

/** When its idle window began; null while it holds a task. */
export function idleSince(worker: IdleWorker): number | null {
  if (worker.taskId !== null) return null;
  const { registeredAt, lastClaimedAt, lastSettledAt, awakeSince } = worker;
  return Math.max(registeredAt, lastClaimedAt ?? 0, lastSettledAt ?? 0, awakeSince ?? 0);
}

/** Of its idle window; null when that never ends. */
export function remainingIdleMs(worker: IdleWorker & { readonly idleLimitMs: number | null }, now: number) {
  return worker.idleLimitMs === null ? null : Math.max(0, worker.idleLimitMs - idleMs(worker, now));
}

/** Never negative, even when the clock was set back. */
export function idleMs(worker: IdleWorker, now: number): number {
  const since = idleSince(worker);
  return since === null ? 0 : Math.max(0, now - since);
}
