/** Buckets per doubling: a percentile is at most 1.1% off. */
const PER_DOUBLING = 64;
const DOUBLINGS = 48;

/** The distribution of durations in constant memory; the mean and the maximum are exact. */
export class Spread {
  readonly #buckets = new Float64Array(PER_DOUBLING * DOUBLINGS);
  #count = 0;
  #sum = 0;
  #max = 0;

  add(ms: number): void {
    this.#count += 1;
    this.#sum += ms;
    if (ms > this.#max) this.#max = ms;
    const bucket = Math.min(Math.floor(Math.log2(ms + 1) * PER_DOUBLING), this.#buckets.length - 1);
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
  }

  summary() {
    const meanMs = this.#count === 0 ? 0 : this.#sum / this.#count;
    const [p50Ms, p95Ms, p99Ms] = [this.#percentile(0.5), this.#percentile(0.95), this.#percentile(0.99)];
    return { count: this.#count, meanMs, p50Ms, p95Ms, p99Ms, maxMs: this.#max };
  }

  #percentile(share: number): number {
    let left = Math.ceil(this.#count * share);
    if (left === 0) return 0;
    const bucket = this.#buckets.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    // the middle of the bucket; the first one holds zero durations
    return bucket === 0 ? 0 : Math.min(this.#max, 2 ** ((bucket + 0.5) / PER_DOUBLING) - 1);
  }
}

export type SpreadSummary = ReturnType<Spread['summary']>;
