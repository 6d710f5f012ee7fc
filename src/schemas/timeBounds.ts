/** Some 3,000 years: added to any time of a store, it is still one that JavaScript can count and write as a date. */
export const LONGEST_MS = 1e14;
/** The last time that a `Date` can be. */
export const LATEST_AT = 8.64e15;
