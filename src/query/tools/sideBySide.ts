/** Whether a generator may start beside those that run, all named by their place. */
export type MayStart = (index: number, running: ReadonlySet<number>) => boolean;

/**
 * Runs generators side by side, yielding what each yields as it comes, and returns their results in the order given. Those
 * that may not start yet wait for others to end. When the consumer stops early, all of them are stopped.
 */
export async function* sideBySide<Event, Result>(
  generators: readonly AsyncGenerator<Event, Result>[],
  mayStart: MayStart = () => true,
): AsyncGenerator<Event, Result[]> {
  type Arrival = { readonly index: number; readonly result: IteratorResult<Event, Result> };
  const advance = (index: number): Promise<Arrival> =>
    (generators[index] as AsyncGenerator<Event, Result>).next().then((result) => ({ index, result }));
  const running = new Map<number, Promise<Arrival>>();
  const waiting = new Set(generators.keys());
  const start = () => {
    const now = new Set(running.keys());
    for (const index of waiting) {
      // with nothing running the first one starts, whatever the limit: a round must end
      if (now.size > 0 && !mayStart(index, now)) continue;
      waiting.delete(index);
      now.add(index);
      running.set(index, advance(index));
    }
  };
  const results: Result[] = [];
  try {
    start();
    while (running.size > 0) {
      const { index, result } = await Promise.race(running.values());
      if (result.done) {
        results[index] = result.value;
        running.delete(index);
        start();
      } else {
        running.set(index, advance(index));
        yield result.value;
      }
    }
    return results;
  } finally {
    for (const index of running.keys()) void generators[index]?.return(undefined as Result);
  }
}
