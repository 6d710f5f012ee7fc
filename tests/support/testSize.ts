/**
 * `npm run test:long`: random, fault and load tests in full size, and each case of a table where `npm test` has a sample. Each
 * behavior has a test in both.
 */
export const IS_LONG = process.env.STOPGATE_LONG_TESTS === '1';

/** Those of every run; all of them in `npm run test:long`. */
export const sampleOf = <Case>(cases: readonly Case[], isInSample: (one: Case) => boolean): readonly Case[] =>
  IS_LONG ? cases : cases.filter(isInSample);

/** How often, how many or how large: the small size of every run, and the full one. */
export const sizeOf = ({ small, full }: { readonly small: number; readonly full: number }): number =>
  IS_LONG ? full : small;
