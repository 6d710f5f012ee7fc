/** The entry whose key is the longest prefix of the name. */
export function longestPrefix<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  let best: string | undefined;
  for (const prefix of Object.keys(table))
    if (name.startsWith(prefix) && prefix.length > (best?.length ?? -1)) best = prefix;
  return best === undefined ? undefined : table[best];
}
