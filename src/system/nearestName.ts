/** The known name that was probably meant: another case first, then few typos; undefined when none is near. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > 4 * LONGEST) return undefined;
  const wanted = plain(name);
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const word = plain(candidate);
    // missing letters are typos too, so most names need no comparison
    if (Math.abs(word.length - wanted.length) > limit) continue;
    const distance = mistakes(wanted, word);
    if (best === undefined || distance < best.distance) best = { name: candidate, distance };
  }
  // two typos turn a word of two letters into any other
  return best && best.distance <= limit && best.distance < Math.max(1, wanted.length) ? best.name : undefined;
}

const LONGEST = 64;

const plain = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '');

/** How many letters were added, left out, changed or swapped with their neighbor. */
export function mistakes(a: string, b: string): number {
  if (a === b) return 0;
  if (a.length > LONGEST || b.length > LONGEST) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = swapped ? (before[column - 2] ?? Number.POSITIVE_INFINITY) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(change, swap, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    before = above;
    above = current;
  }
  return above[b.length] ?? Number.POSITIVE_INFINITY;
}
