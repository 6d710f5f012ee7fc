/** What a worker's idle time is told from; the store's worker has all of it. */
export interface IdleWorker {
  readonly registeredAt: number;
  readonly lastClaimedAt: number | null;
  /** Completed, failed, released or lost: whatever ended the last attempt. */
  readonly lastSettledAt: number | null;
  readonly taskId: string | number | null;
  /**
   * Since when whoever asks has been awake, where that is known: a machine that slept or a state restored from last week
   * is no idleness of the worker's.
   */
  readonly awakeSince?: number | null | undefined;
}

/** The moment its window began; null while it holds a task, because then it is not idle at all. */
export function idleSince(worker: IdleWorker): number | null {
  if (worker.taskId !== null) return null;
  const { registeredAt, lastClaimedAt, lastSettledAt, awakeSince } = worker;
  return Math.max(registeredAt, lastClaimedAt ?? 0, lastSettledAt ?? 0, awakeSince ?? 0);
}

/** Never below zero: a clock that was set back makes nobody busy. */
export function idleMs(worker: IdleWorker, now: number): number {
  const since = idleSince(worker);
  return since === null ? 0 : Math.max(0, now - since);
}
