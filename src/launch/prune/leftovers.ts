/** What ended tasks left on this machine. */
type LeftoverKind = 'log' | 'worktree' | 'branch' | 'ref' | 'settlement';

export interface Leftover {
  readonly kind: LeftoverKind;
  /** A path, or the name of a ref. */
  readonly name: string;
  /** Of a ref: it is removed only while it is this commit. */
  readonly commit?: string;
}

export interface KeptLeftover {
  readonly kind: LeftoverKind;
  readonly name: string;
  readonly why: string;
}

export interface LeftoverPlan {
  readonly remove: readonly Leftover[];
  readonly keep: readonly KeptLeftover[];
}

/** A branch of an attempt, or a ref that keeps its uncommitted work, as found in a repository. */
export interface FoundRef {
  readonly kind: 'branch' | 'ref';
  readonly name: string;
  readonly commit: string;
  readonly taskId: string;
  /** Of its commit. */
  readonly committedAt: number;
  /** The folder of a worktree that has it checked out and stays. */
  readonly checkedOutAt?: string | undefined;
  /** Whether a ref that is not ours has its commit; null when git could not answer. */
  readonly isReachable: boolean | null;
}

export interface RefFacts {
  /** Removed now, or gone before; `unfinished` and young tasks keep what they have. */
  readonly task: 'removed' | 'unknown' | 'ended' | 'kept';
  readonly isOld: boolean;
  readonly unmerged: boolean;
}

/** Why a ref stays; null when it may go. Only proof lets one go: no answer is not a yes. */
export function whyRefStays(ref: FoundRef, { task, isOld, unmerged }: RefFacts): string | null {
  if (task === 'kept') return 'its task has not ended, or not long ago';
  if (ref.checkedOutAt !== undefined) return `it is checked out in ${ref.checkedOutAt}`;
  if (ref.isReachable === null) return 'git could not tell whether another branch has its commits';
  if (ref.isReachable) return task !== 'removed' && !isOld ? 'it is young' : null;
  // a task that this store does not know may be one of another store
  if (task === 'removed' && unmerged) return null;
  return task === 'removed'
    ? 'no other branch has its commits (--unmerged removes it)'
    : 'no other branch has its commits';
}
