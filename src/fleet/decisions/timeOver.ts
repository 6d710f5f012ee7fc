/** A digest of a work tree and its commit; null where it cannot be read. */
export type TreeState = string | null;

export interface TimeOverFacts {
  /** When the task was taken, and now. */
  readonly before: TreeState;
  readonly after: TreeState;
  readonly extendedBefore: boolean;
  readonly timeBudgetMs: number;
}

export type TimeOver =
  /** Once: it goes on where it is, with its context. */
  | { readonly type: 'extend'; readonly byMs: number }
  /** Back to the queue, to be continued from what is kept of it; nobody's fault. */
  | { readonly type: 'release' }
  | { readonly type: 'fail' };

/** Half of what it had: enough to finish what is nearly done. */
const EXTENSION = 0.5;

/** Time is over: what changed the tree was work, and work is not punished. */
export function decideTimeOver({ before, after, extendedBefore, timeBudgetMs }: TimeOverFacts): TimeOver {
  // what could not be read was not seen to change
  const isProductive = before !== null && after !== null && before !== after;
  if (!isProductive) return { type: 'fail' };
  if (!extendedBefore) return { type: 'extend', byMs: Math.ceil(timeBudgetMs * EXTENSION) };
  return { type: 'release' };
}
