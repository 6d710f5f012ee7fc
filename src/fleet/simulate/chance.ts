/** Numbers from 0 up to 1, reproducible by seed. */
export type Random = () => number;

export function seededRandom(seed: number): Random {
  let count = 0;
  return () => chanceOf(seed, count++, 0x51ed);
}

/**
 * A pure function of its inputs: a task's length and luck depend on its number alone, so that compared scenarios get the same
 * tasks.
 */
export function chanceOf(seed: number, one: number, other: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  hash = mixed(hash ^ Math.imul(one, 0xc2b2ae35));
  hash = mixed(hash ^ Math.imul(other, 0x27d4eb2f));
  return (mixed(hash) >>> 0) / 4_294_967_296;
}

function mixed(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return bits ^ (bits >>> 16);
}
