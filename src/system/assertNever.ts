/** Closes a union: adding a member makes every place that forgot it a type error, and a bug a sentence. */
export function assertNever(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}
