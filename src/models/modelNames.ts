/** The entry whose key is the longest prefix of the name. */
export function longestPrefix<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  let best: string | undefined;
  for (const prefix of Object.keys(table))
    if (name.startsWith(prefix) && prefix.length > (best?.length ?? -1)) best = prefix;
  return best === undefined ? undefined : table[best];
}

/** The known name that takes the fewest edits to reach; for “did you mean”. */
export function nearestName(wanted: string, known: readonly string[]): string | undefined {
  return known.toSorted((a, b) => editDistance(wanted, a) - editDistance(wanted, b))[0];
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
