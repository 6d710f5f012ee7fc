import type { SimulatedWorker } from './simulatedWorker.ts';
import type { OpenTask } from './taskQueue.ts';

export type EventKind =
  | ('arrival' | 'taskDue' | 'workerStarted' | 'attemptOver' | 'idleCheck')
  | ('look' | 'tick' | 'slotFree' | 'limit' | 'wake');

export interface SimulationEvent {
  readonly at: number;
  readonly kind: EventKind;
  readonly task?: OpenTask | undefined;
  readonly worker?: SimulatedWorker | undefined;
  /** The incarnation or attempt of the worker: an event for an earlier one is void. */
  readonly version?: number | undefined;
}

interface Entry {
  readonly event: SimulationEvent;
  readonly order: number;
}

/** Events by time, simultaneous ones in the order they were planned. */
export class EventHeap {
  readonly #entries: Entry[] = [];
  #planned = 0;

  push(event: SimulationEvent): void {
    const entry = { event, order: this.#planned++ };
    let hole = this.#entries.length;
    while (true) {
      const above = (hole - 1) >> 1;
      const parent = this.#entries[above];
      if (parent === undefined || isBefore(parent, entry)) break;
      this.#entries[hole] = parent;
      hole = above;
    }
    this.#entries[hole] = entry;
  }

  pop(): SimulationEvent | null {
    const [first] = this.#entries;
    const last = this.#entries.pop();
    if (first === undefined || last === undefined) return null;
    if (first !== last) this.#sink(last);
    return first.event;
  }

  /** Puts an entry where the root was. */
  #sink(entry: Entry): void {
    let hole = 0;
    while (true) {
      const [left, right] = [this.#entries[2 * hole + 1], this.#entries[2 * hole + 2]];
      const isRight = left !== undefined && right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (child === undefined || isBefore(entry, child)) break;
      this.#entries[hole] = child;
      hole = 2 * hole + (isRight ? 2 : 1);
    }
    this.#entries[hole] = entry;
  }
}

const isBefore = (one: Entry, other: Entry) => (one.event.at - other.event.at || one.order - other.order) < 0;
