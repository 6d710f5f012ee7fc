/**
 * A list that is replaced whole but never copied: `append` returns a new value that shares the old one's storage.
 *
 * A turn of a thousand steps replaces its state a thousand times; copying or converting the history each time would be
 * quadratic. Two lists that append to the same value do not see each other: the second one copies.
 */
export class AppendOnlyList<T> implements Iterable<T> {
  static of<T>(items: Iterable<T> = []): AppendOnlyList<T> {
    const buffer = [...items];
    return new AppendOnlyList(buffer, buffer.length);
  }

  readonly length: number;
  /** Shared storage: only the first `length` entries belong to this list. */
  readonly #buffer: T[];

  private constructor(buffer: T[], length: number) {
    this.#buffer = buffer;
    this.length = length;
  }

  append(...items: readonly T[]): AppendOnlyList<T> {
    if (items.length === 0) return this;
    const buffer = this.length === this.#buffer.length ? this.#buffer : this.#buffer.slice(0, this.length);
    for (const item of items) buffer.push(item);
    return new AppendOnlyList(buffer, buffer.length);
  }

  at(index: number): T | undefined {
    const place = index < 0 ? this.length + index : index;
    return place < this.length ? this.#buffer[place] : undefined;
  }

  toArray(): T[] {
    return this.#buffer.slice(0, this.length);
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let i = 0; i < this.length; i++) yield this.#buffer[i] as T;
  }

  /** Equal for two lists when one extends the other. */
  get lineage(): object {
    return this.#buffer;
  }
}

/**
 * Makes a conversion of append-only lists incremental: items converted for a shorter list of the same lineage are reused.
 * `convert` may return nothing (left out) and must depend on its item alone.
 */
export function deriveIncrementally<From, To extends object>(
  convert: (item: From) => To | undefined,
): (list: AppendOnlyList<From>) => AppendOnlyList<To> {
  const known = new WeakMap<object, { derived: AppendOnlyList<To>; seen: number }>();
  return (list) => {
    let entry = known.get(list.lineage);
    if (!entry || entry.seen > list.length) {
      entry = { derived: AppendOnlyList.of<To>(), seen: 0 };
      known.set(list.lineage, entry);
    }
    for (; entry.seen < list.length; entry.seen++) {
      const made = convert(list.at(entry.seen) as From);
      if (made) entry.derived = entry.derived.append(made);
    }
    return entry.derived;
  };
}
