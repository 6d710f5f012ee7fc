import type { PrunableTask } from '../../store/types.ts';

/** A task that its store has removed, or may remove. */
export type EndedTask = Pick<PrunableTask, 'id' | 'epoch' | 'left'>;

/** What ended tasks left on this machine. */
type LeftoverKind = 'log' | 'worktree' | 'branch' | 'ref' | 'settlement';

export interface Leftover {
  readonly kind: LeftoverKind;
  /** A path, or the name of a ref. */
  readonly name: string;
  readonly taskId: string;
  /** Of a ref: it is removed only while it is this commit. */
  readonly commit?: string;
  /** Of a worktree: the branch that it has to be on. */
  readonly branch?: string;
  /** Of a ref: a folder of its repository. */
  readonly folder?: string;
}

export interface KeptLeftover {
  readonly kind: LeftoverKind;
  readonly name: string;
  readonly taskId?: string;
  /** Of a worktree: the branch of its attempt. */
  readonly branch?: string;
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
  /** The ref that it only stands for. */
  readonly standsFor?: string | undefined;
  /** The folder of a worktree that has it checked out and stays. */
  readonly checkedOutAt?: string | undefined;
  /** Whether a ref that is not ours has its commit; null when git could not answer. */
  readonly isReachable: boolean | null;
}

/** Why a ref of a removed task stays; null when it may go. Only proof lets one go: no answer is not a yes. */
export function whyRefStays(ref: FoundRef, unmerged: boolean): string | null {
  if (ref.standsFor !== undefined) return `it only stands for ${ref.standsFor}`;
  if (ref.checkedOutAt !== undefined) return `it is checked out in ${ref.checkedOutAt}`;
  if (ref.isReachable === null) return 'git could not tell whether another branch has its commits';
  return ref.isReachable || unmerged ? null : 'no other branch has its commits (--unmerged removes it)';
}
