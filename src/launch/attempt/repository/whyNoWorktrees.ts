import type { FoundWorkTree } from '../../../git/workTree.ts';

export interface WorktreeWish {
  readonly worktrees: boolean;
  readonly removeWorktrees: boolean;
}

const IN_ANY_CASE = 'tasks with a remote repository get worktrees of a clone in any case';

/** Why a worker cannot have the worktrees it was started with; decided before it claims a task. `found`: of its folder. */
export function whyNoWorktrees({ worktrees, removeWorktrees }: WorktreeWish, found: FoundWorkTree): string | null {
  const isRepository = found.type === 'workTree';
  // elsewhere, only clones have worktrees
  if (!worktrees) return removeWorktrees && isRepository ? '--remove-worktrees needs --worktrees; give both.' : null;
  if (!isRepository) return `--worktrees needs a git repository: ${found.reason} Leave it out here: ${IN_ANY_CASE}.`;
  if (found.head !== undefined) return null;
  return `--worktrees needs a commit to start from: the repository ${found.topLevel} has none yet.`;
}
