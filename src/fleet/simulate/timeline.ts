export interface Levels {
  ready: number;
  busy: number;
  idle: number;
  starting: number;
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

/**
 * The course of a simulation of unknown length: a fixed number of buckets, joined in pairs whenever they are full. Each holds
 * sums of level × time, so that joining loses nothing but detail.
 */
export class Timeline {
  readonly #queue = new Float64Array(BUCKETS);
  readonly #longest = new Float64Array(BUCKETS);
  readonly #busy = new Float64Array(BUCKETS);
  readonly #live = new Float64Array(BUCKETS);
  #widthMs = 1_000;
  #endMs = 0;

  /** These levels held since the end of the last call. */
  add(untilMs: number, levels: Levels): void {
    while (untilMs > this.#widthMs * BUCKETS) this.#join();
    while (this.#endMs < untilMs) {
      const bucket = Math.min(Math.floor(this.#endMs / this.#widthMs), BUCKETS - 1);
      const next = Math.min(untilMs, (bucket + 1) * this.#widthMs);
      this.#fill(bucket, next - this.#endMs, levels);
      this.#endMs = next;
    }
  }

  #fill(bucket: number, ms: number, { ready, busy, idle, starting }: Levels): void {
    this.#queue[bucket] = (this.#queue[bucket] ?? 0) + ready * ms;
    this.#busy[bucket] = (this.#busy[bucket] ?? 0) + busy * ms;
    this.#live[bucket] = (this.#live[bucket] ?? 0) + (busy + idle + starting) * ms;
    if (ready > (this.#longest[bucket] ?? 0)) this.#longest[bucket] = ready;
  }

  #join(): void {
    for (const sums of [this.#queue, this.#busy, this.#live]) halve(sums, (one, other) => one + other);
    halve(this.#longest, Math.max);
    this.#widthMs *= 2;
  }

  points(): readonly TimelinePoint[] {
    const count = Math.ceil(this.#endMs / this.#widthMs);
    return Array.from({ length: count }, (_unused, index) => {
      const fromMs = index * this.#widthMs;
      const toMs = Math.min(this.#endMs, fromMs + this.#widthMs);
      const mean = (sums: Float64Array) => (sums[index] ?? 0) / (toMs - fromMs);
      const longestQueue = this.#longest[index] ?? 0;
      return { fromMs, toMs, queue: mean(this.#queue), longestQueue, busy: mean(this.#busy), live: mean(this.#live) };
    });
  }
}

function halve(sums: Float64Array, join: (one: number, other: number) => number): void {
  for (let index = 0; index < BUCKETS / 2; index += 1)
    sums[index] = join(sums[2 * index] ?? 0, sums[2 * index + 1] ?? 0);
  sums.fill(0, BUCKETS / 2);
}
