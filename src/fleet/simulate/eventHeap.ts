/** `version` is the incarnation or attempt of the subject: an event for an earlier one is void. */
export interface SimulationEvent {
  at: number;
  kind: number;
  subject: number;
  version: number;
}

/** Events by time, simultaneous ones in the order they were planned. Typed arrays, so that a million events need no objects. */
export class EventHeap {
  #at = new Float64Array(1024);
  #order = new Float64Array(1024);
  #kind = new Uint8Array(1024);
  #subject = new Int32Array(1024);
  #version = new Int32Array(1024);
  #size = 0;
  #planned = 0;
  /** Reused by `pop`. */
  readonly event: SimulationEvent = { at: 0, kind: 0, subject: 0, version: 0 };

  get size(): number {
    return this.#size;
  }

  push(at: number, kind: number, subject = 0, version = 0): void {
    if (this.#size === this.#at.length) this.#grow();
    const order = this.#planned++;
    let hole = this.#size++;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (!this.#isBefore(at, order, parent)) break;
      this.#move(parent, hole);
      hole = parent;
    }
    this.#put(hole, at, order, kind, subject, version);
  }

  /** The next event, or null; valid until the next call. */
  pop(): SimulationEvent | null {
    if (this.#size === 0) return null;
    const { event } = this;
    event.at = this.#at[0] ?? 0;
    event.kind = this.#kind[0] ?? 0;
    event.subject = this.#subject[0] ?? 0;
    event.version = this.#version[0] ?? 0;
    this.#size -= 1;
    if (this.#size > 0) this.#sink(this.#size);
    return event;
  }

  /** Puts the entry at `last` where the root was. */
  #sink(last: number): void {
    const at = this.#at[last] ?? 0;
    const order = this.#order[last] ?? 0;
    let hole = 0;
    for (let child = 1; child < this.#size; child = 2 * hole + 1) {
      if (child + 1 < this.#size && this.#isBefore(this.#at[child + 1] ?? 0, this.#order[child + 1] ?? 0, child))
        child += 1;
      if (this.#isBefore(at, order, child)) break;
      this.#move(child, hole);
      hole = child;
    }
    this.#put(hole, at, order, this.#kind[last] ?? 0, this.#subject[last] ?? 0, this.#version[last] ?? 0);
  }

  #isBefore(at: number, order: number, other: number): boolean {
    const otherAt = this.#at[other] ?? 0;
    return at < otherAt || (at === otherAt && order < (this.#order[other] ?? 0));
  }

  #move(from: number, to: number): void {
    this.#put(
      to,
      this.#at[from] ?? 0,
      this.#order[from] ?? 0,
      this.#kind[from] ?? 0,
      this.#subject[from] ?? 0,
      this.#version[from] ?? 0,
    );
  }

  #put(index: number, at: number, order: number, kind: number, subject: number, version: number): void {
    this.#at[index] = at;
    this.#order[index] = order;
    this.#kind[index] = kind;
    this.#subject[index] = subject;
    this.#version[index] = version;
  }

  #grow(): void {
    const length = this.#at.length * 2;
    this.#at = grown(this.#at, new Float64Array(length));
    this.#order = grown(this.#order, new Float64Array(length));
    this.#kind = grown(this.#kind, new Uint8Array(length));
    this.#subject = grown(this.#subject, new Int32Array(length));
    this.#version = grown(this.#version, new Int32Array(length));
  }
}

export function grown<Numbers extends Float64Array | Int32Array | Uint8Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
