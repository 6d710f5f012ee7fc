/** Runs a generator to its end and drops what it yields. */
export async function returnValueOf<Result>(
  running: AsyncGenerator<unknown, Result> | Generator<unknown, Result>,
): Promise<Result> {
  let step = await running.next();
  while (!step.done) step = await running.next();
  return step.value;
}
