/** Seeded random numbers (mulberry32), so that a failing random test can be repeated with its seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface Chance {
  /** True with probability `p`. */
  maybe(p: number): boolean;
  pick<T>(items: readonly T[]): T;
  upTo(n: number): number;
}

export function chance(seed: number): Chance {
  const random = seededRandom(seed);
  return {
    maybe: (p) => random() < p,
    pick: (items) => items[Math.floor(random() * items.length)] as (typeof items)[number],
    upTo: (n) => Math.floor(random() * (n + 1)),
  };
}
