/** Moves a clock on in small steps until a promise settles. */
export function passingWith(advance: (ms: number) => Promise<void>) {
  return async <Result>(promise: Promise<Result>): Promise<Result> => {
    let settled = false;
    const done = promise.finally(() => {
      settled = true;
    });
    while (!settled) await advance(50);
    return done;
  };
}
