/** A task until it ends. */
export interface OpenTask {
  /** From 0 in the order of arrival; seeds its luck. */
  readonly number: number;
  readonly addedAt: number;
  attempts: number;
  failures: number;
  reclaims: number;
  /** Work of earlier attempts that need not be repeated. */
  doneMs: number;
}

/** First in, first out; `shift` of a long array would move all others. */
export class TaskQueue {
  #added: OpenTask[] = [];
  /** The first one last. */
  #next: OpenTask[] = [];

  get length(): number {
    return this.#added.length + this.#next.length;
  }

  push(task: OpenTask): void {
    this.#added.push(task);
  }

  shift(): OpenTask | undefined {
    if (this.#next.length === 0) [this.#next, this.#added] = [this.#added.reverse(), []];
    return this.#next.pop();
  }
}
