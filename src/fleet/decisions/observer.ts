/** After a sleep, a pause or a restored backup, all workers look stale together although none had a chance to report. */
export interface ObserverFacts {
  readonly now: number;
  /** Null at its start. */
  readonly lastCheckAt: number | null;
  /** The interval of its checks. */
  readonly everyMs: number;
  readonly awakeSince: number | null;
}

/** Checks are late on a busy machine; only a gap of several of them is a sleep. */
const LATE_CHECKS = 4;
const LEAST_GAP_MS = 30_000;

/** Since when this observer has watched without a gap; a jump of its own clock, forward or back, starts over. */
export function observerAwakeSince({ now, lastCheckAt, everyMs, awakeSince }: ObserverFacts): number {
  if (lastCheckAt === null || awakeSince === null) return now;
  const gapMs = now - lastCheckAt;
  return gapMs < -everyMs || gapMs > Math.max(LATE_CHECKS * everyMs, LEAST_GAP_MS) ? now : awakeSince;
}
