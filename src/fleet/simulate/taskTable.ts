import { grown } from './eventHeap.ts';

/** A task until it ends; its handle is then reused, so memory is bounded by the number of open tasks. */
export interface OpenTask {
  /** From 0 in the order of arrival; seeds its luck. */
  number: number;
  addedAt: number;
  attempts: number;
  failures: number;
  reclaims: number;
  releases: number;
  /** Work of earlier attempts that need not be repeated. */
  doneMs: number;
}

/** The open tasks, and the queue of those that are ready. */
export class TaskTable {
  readonly #tasks: OpenTask[] = [];
  readonly #free: number[] = [];
  #line = new Int32Array(1024);
  #head = 0;
  #waiting = 0;

  /** Open: ready, delayed or being worked on. */
  get open(): number {
    return this.#tasks.length - this.#free.length;
  }

  get ready(): number {
    return this.#waiting;
  }

  add(number: number, addedAt: number): number {
    const fresh: OpenTask = { number, addedAt, attempts: 0, failures: 0, reclaims: 0, releases: 0, doneMs: 0 };
    const reused = this.#free.pop();
    if (reused === undefined) return this.#tasks.push(fresh) - 1;
    this.#tasks[reused] = fresh;
    return reused;
  }

  get(handle: number): OpenTask {
    const task = this.#tasks[handle];
    if (!task) throw new Error(`Unknown task ${handle}`);
    return task;
  }

  end(handle: number): void {
    this.#free.push(handle);
  }

  enqueue(handle: number): void {
    if (this.#waiting === this.#line.length) this.#growLine();
    this.#line[(this.#head + this.#waiting) % this.#line.length] = handle;
    this.#waiting += 1;
  }

  dequeue(): number {
    if (this.#waiting === 0) throw new Error('No task is ready');
    const handle = this.#line[this.#head] ?? 0;
    this.#head = (this.#head + 1) % this.#line.length;
    this.#waiting -= 1;
    return handle;
  }

  #growLine(): void {
    const { length } = this.#line;
    const straight = new Int32Array(length);
    for (let index = 0; index < length; index += 1) straight[index] = this.#line[(this.#head + index) % length] ?? 0;
    this.#line = grown(straight, new Int32Array(length * 2));
    this.#head = 0;
  }
}
