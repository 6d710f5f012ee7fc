import type { ReleaseReason } from '../../store/types.ts';

/** Where a work tree stands: the commit, and a digest of what is not committed. Null where there is no repository. */
export interface TreeState {
  readonly head: string | null;
  readonly digest: string | null;
}

export interface TimeOverFacts {
  readonly before: TreeState;
  readonly after: TreeState;
  /** Its process still runs and could go on. */
  readonly isRunning: boolean;
  readonly extendedBefore: boolean;
  readonly timeBudgetMs: number;
}

export type TimeOver =
  /** Once: it goes on where it is, with its context. */
  | { readonly type: 'extend'; readonly byMs: number }
  /** Back to the queue, to be continued from its checkpoint; nobody's fault. */
  | { readonly type: 'release'; readonly reason: Extract<ReleaseReason, 'timed_out'> }
  | { readonly type: 'fail'; readonly reason: 'timed_out' };

/** Half of what it had: enough to finish what is nearly done. */
const EXTENSION = 0.5;

/** Time is over: what changed the tree was work, and work is not punished. */
export function decideTimeOver({ before, after, isRunning, extendedBefore, timeBudgetMs }: TimeOverFacts): TimeOver {
  const isProductive = changed(before.head, after.head) || changed(before.digest, after.digest);
  if (!isProductive) return { type: 'fail', reason: 'timed_out' };
  if (isRunning && !extendedBefore) return { type: 'extend', byMs: Math.ceil(timeBudgetMs * EXTENSION) };
  return { type: 'release', reason: 'timed_out' };
}

/** What could not be read was not seen to change. */
const changed = (before: string | null, after: string | null) => before !== null && after !== null && before !== after;
