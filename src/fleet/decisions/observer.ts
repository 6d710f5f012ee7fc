/**
 * Whoever judges others by their clocks must first know its own. A laptop that slept, a coordinator that was stopped, a
 * state restored from a backup: all workers look stale at once, and none of them has had a chance to say a word.
 */
export interface ObserverFacts {
  readonly now: number;
  /** When it last looked; null at its start. */
  readonly lastLookAt: number | null;
  /** How often it looks. */
  readonly everyMs: number;
  readonly awakeSince: number | null;
}

/** Looks come late on a busy machine; only a gap of several of them is a sleep. */
const LATE_LOOKS = 4;
const LEAST_GAP_MS = 30_000;

/** Since when this observer has watched without a gap; a jump of its own clock, forward or back, begins anew. */
export function observerAwakeSince({ now, lastLookAt, everyMs, awakeSince }: ObserverFacts): number {
  if (lastLookAt === null || awakeSince === null) return now;
  const gapMs = now - lastLookAt;
  return gapMs < -everyMs || gapMs > Math.max(LATE_LOOKS * everyMs, LEAST_GAP_MS) ? now : awakeSince;
}
