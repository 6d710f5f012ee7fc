import type { Random } from './chance.ts';
import type { SimulatedWorker } from './simulatedWorker.ts';

/** The workers that wait for a task. All of them hear of a new one, and any may be first: who gets it is chance. */
export class WorkerPool {
  readonly #workers: SimulatedWorker[] = [];

  get size(): number {
    return this.#workers.length;
  }

  add(worker: SimulatedWorker): void {
    if (worker.poolIndex === -1) worker.poolIndex = this.#workers.push(worker) - 1;
  }

  remove(worker: SimulatedWorker): void {
    const { poolIndex } = worker;
    if (poolIndex === -1) return;
    const last = this.#workers.pop();
    worker.poolIndex = -1;
    if (last === undefined || last === worker) return;
    this.#workers[poolIndex] = last;
    last.poolIndex = poolIndex;
  }

  any(random: Random): SimulatedWorker | null {
    return this.#workers[Math.floor(random() * this.#workers.length)] ?? null;
  }
}
