/** Buckets in each doubling: a percentile is at most 1.1% off. */
const PER_DOUBLING = 64;
const DOUBLINGS = 48;

/** How lengths of time are spread, in memory that does not grow; the mean and the largest are exact. */
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

  summary(): SpreadSummary {
    const { count, mean, max } = {
      count: this.#count,
      mean: this.#count === 0 ? 0 : this.#sum / this.#count,
      max: this.#max,
    };
    const at = (share: number) => this.#percentile(share);
    return { count, meanMs: mean, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: max };
  }

  #percentile(share: number): number {
    let left = Math.ceil(this.#count * share);
    if (left === 0) return 0;
    const bucket = this.#buckets.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    // the middle of the bucket; the first one holds what took no time
    return bucket === 0 ? 0 : Math.min(this.#max, 2 ** ((bucket + 0.5) / PER_DOUBLING) - 1);
  }
}

export interface SpreadSummary {
  readonly count: number;
  readonly meanMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}
