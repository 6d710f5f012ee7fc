/**
 * The rows of an answer. The driver (postgres 3.4) counts them from where it was when a connection was lost in the middle of an
 * answer, so the first answer after that begins with places that hold nothing.
 */
export function answeredRows<Row>(answer: readonly Row[]): readonly Row[] {
  return 0 in answer ? answer : answer.filter(() => true);
}
