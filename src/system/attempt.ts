/** The result of a function, or another value where it throws: a file that cannot be read counts as absent. */
export function attempt<Result>(run: () => Result, otherwise: Result): Result {
  try {
    return run();
  } catch {
    return otherwise;
  }
}
