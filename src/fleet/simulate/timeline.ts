interface Levels {
  readonly ready: number;
  readonly busy: number;
  readonly idle: number;
  readonly starting: number;
}

export interface TimelinePoint {
  readonly fromMs: number;
  readonly toMs: number;
  /** Means over this time, except for the longest queue. */
  readonly queue: number;
  readonly longestQueue: number;
  readonly busy: number;
  readonly live: number;
}

const BUCKETS = 480;

/** Sums of level × time, except for the longest queue, so that joining two loses nothing but detail. */
type Bucket = Omit<TimelinePoint, 'fromMs' | 'toMs'>;

/** The course of a simulation of unknown length: a fixed number of buckets, joined in pairs whenever they are full. */
export class Timeline {
  #buckets: Bucket[] = [];
  #widthMs = 1_000;
  #endMs = 0;

  /** These levels held since the end of the last call. */
  add(untilMs: number, { ready, busy, idle, starting }: Levels): void {
    while (untilMs > this.#widthMs * BUCKETS) this.#join();
    while (this.#endMs < untilMs) {
      const index = Math.floor(this.#endMs / this.#widthMs);
      const next = Math.min(untilMs, (index + 1) * this.#widthMs);
      const ms = next - this.#endMs;
      const live = (busy + idle + starting) * ms;
      addTo(this.#buckets, index, { queue: ready * ms, longestQueue: ready, busy: busy * ms, live });
      this.#endMs = next;
    }
  }

  #join(): void {
    const joined: Bucket[] = [];
    for (const [index, bucket] of this.#buckets.entries()) addTo(joined, index >> 1, bucket);
    this.#buckets = joined;
    this.#widthMs *= 2;
  }

  points(): readonly TimelinePoint[] {
    return this.#buckets.map(({ queue, longestQueue, busy, live }, index) => {
      const fromMs = index * this.#widthMs;
      const toMs = Math.min(this.#endMs, fromMs + this.#widthMs);
      const ms = toMs - fromMs;
      return { fromMs, toMs, queue: queue / ms, longestQueue, busy: busy / ms, live: live / ms };
    });
  }
}

function addTo(buckets: Bucket[], index: number, { queue, longestQueue, busy, live }: Bucket): void {
  const before = buckets[index] ?? { queue: 0, longestQueue: 0, busy: 0, live: 0 };
  buckets[index] = {
    queue: before.queue + queue,
    longestQueue: Math.max(before.longestQueue, longestQueue),
    busy: before.busy + busy,
    live: before.live + live,
  };
}
