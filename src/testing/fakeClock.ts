import type { Clock } from '../system/clock.ts';

interface Sleeper {
  readonly wakeAt: number;
  readonly wake: () => void;
}

export interface FakeClock extends Clock {
  /** Advances time, waking sleepers in the order of their times; what they start runs first. */
  advance(ms: number): Promise<void>;
  /** How many sleeps are waiting. */
  pending(): number;
  /** Sets the machine's clock, as a person or a time server would: no time passes. */
  setWall(byMs: number): void;
}

/** A clock that only moves when the test moves it. */
export function fakeClock(startAt = 0): FakeClock {
  let now = startAt;
  let wallAheadMs = 0;
  const sinceBoot = { id: 'fake-boot', ms: () => now, monotonicMs: () => now };
  const sleepers = new Set<Sleeper>();
  const earliest = (until: number) =>
    [...sleepers].filter(({ wakeAt }) => wakeAt <= until).toSorted((a, b) => a.wakeAt - b.wakeAt)[0];
  return {
    now: () => now,
    wall: () => now + wallAheadMs,
    sinceBoot: () => sinceBoot,
    setWall: (byMs) => {
      wallAheadMs += byMs;
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper: Sleeper = { wakeAt: now + Math.max(0, ms), wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake, { once: true });
      }),
    advance: async (ms) => {
      const until = now + ms;
      await settled();
      for (let next = earliest(until); next; next = earliest(until)) {
        now = Math.max(now, next.wakeAt);
        next.wake();
        await settled();
      }
      now = until;
    },
    pending: () => sleepers.size,
  };
}

/** One turn of the event loop, so that pending promises settle. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
