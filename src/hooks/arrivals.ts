/** Things that arrive from several sides and are taken in order of arrival, by one taker. */
export class Arrivals<T> {
  readonly #waiting: T[] = [];
  #wake: (() => void) | undefined;

  push(item: T): void {
    this.#waiting.push(item);
    this.#wake?.();
  }

  /** All that arrived since the last time; waits for at least one. */
  async take(): Promise<readonly T[]> {
    if (this.#waiting.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    return this.#waiting.splice(0);
  }
}
