/**
 * Runs generators at once, yielding what each yields as it comes, and returns their results in the order given. When
 * the consumer stops early, all of them are told to.
 */
export async function* sideBySide<Event, Result>(
  generators: readonly AsyncGenerator<Event, Result>[],
): AsyncGenerator<Event, Result[]> {
  type Arrival = { readonly index: number; readonly result: IteratorResult<Event, Result> };
  const advance = (index: number): Promise<Arrival> =>
    (generators[index] as AsyncGenerator<Event, Result>).next().then((result) => ({ index, result }));
  const waiting = new Map(generators.map((_, index) => [index, advance(index)]));
  const results: Result[] = [];
  try {
    while (waiting.size > 0) {
      const { index, result } = await Promise.race(waiting.values());
      if (result.done) {
        results[index] = result.value;
        waiting.delete(index);
      } else {
        waiting.set(index, advance(index));
        yield result.value;
      }
    }
    return results;
  } finally {
    for (const index of waiting.keys()) void generators[index]?.return(undefined as Result);
  }
}
