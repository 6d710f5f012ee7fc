export type SpreadSummary = ReturnType<Spread['summary']>;

/** A distribution of durations. */
export class Spread {
  readonly #durations: number[] = [];

  add(ms: number): void {
    this.#durations.push(ms);
  }

  summary() {
    const sorted = Float64Array.from(this.#durations).sort();
    const count = sorted.length;
    const meanMs = count === 0 ? 0 : sorted.reduce((sum, ms) => sum + ms, 0) / count;
    const percentile = (share: number) => sorted[Math.max(0, Math.ceil(count * share) - 1)] ?? 0;
    const [p50Ms, p95Ms, p99Ms] = [percentile(0.5), percentile(0.95), percentile(0.99)];
    return { count, meanMs, p50Ms, p95Ms, p99Ms, maxMs: percentile(1) };
  }
}
