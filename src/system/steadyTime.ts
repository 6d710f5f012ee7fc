/** What a steady time is made from; injected, so that a test can change the machine's clock and let the machine sleep. */
export interface TimeSources {
  /** Milliseconds since the epoch, as the machine's clock has it. Anyone may set that clock, both ways. */
  readonly wall: () => number;
  /** Milliseconds that only increase. They stand still while the machine sleeps. */
  readonly monotonic: () => number;
  /** Milliseconds since the machine started, with the time it slept. Coarse, and dearer to read than the others. */
  readonly sinceBoot: () => number;
}

/** The two clocks are read one after the other: only a difference beyond this is worth a look at the third. */
const PARTED_MS = 1_000;

/**
 * Milliseconds since the epoch that a change of the machine's clock does not move: the wall time at the start, plus what has
 * passed since. Time during which the machine slept has passed too.
 */
export function steadyTime({ wall, monotonic, sinceBoot }: TimeSources): () => number {
  const startedAt = monotonic();
  let origin = wall() - startedAt;
  let seen = origin;
  let asleepMs = sinceBoot() - startedAt;
  return () => {
    const apart = wall() - monotonic();
    if (Math.abs(apart - seen) > PARTED_MS) {
      seen = apart;
      const asleepNow = sinceBoot() - monotonic();
      if (asleepNow - asleepMs > PARTED_MS) {
        origin += asleepNow - asleepMs;
        asleepMs = asleepNow;
      }
    }
    return Math.floor(origin + monotonic());
  };
}
