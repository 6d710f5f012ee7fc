/** A digest of a worktree and its commit; null if it cannot be read. */
export type TreeState = string | null;

export interface TimeOverFacts {
  /** When the task was claimed, and now. */
  readonly before: TreeState;
  readonly after: TreeState;
  readonly extendedBefore: boolean;
  readonly timeBudgetMs: number;
}

export type TimeOver =
  /** Once: the agent continues with its context. */
  | { readonly type: 'extend'; readonly byMs: number }
  /** Back to the queue without blame, to be continued from the kept work. */
  | { readonly type: 'release' }
  | { readonly type: 'fail' };

/** Half of the budget: enough to finish what is nearly done. */
const EXTENSION = 0.5;

/** Time is over: a changed tree is work, and work is not punished. */
export function decideTimeOver({ before, after, extendedBefore, timeBudgetMs }: TimeOverFacts): TimeOver {
  // an unreadable tree does not count as changed
  const isProductive = before !== null && after !== null && before !== after;
  if (!isProductive) return { type: 'fail' };
  if (!extendedBefore) return { type: 'extend', byMs: Math.ceil(timeBudgetMs * EXTENSION) };
  return { type: 'release' };
}
