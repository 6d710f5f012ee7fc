import { addWorktree, worktreePlace } from '../../system/git/addWorktree.ts';
import type { Git } from '../../system/git/git.ts';
import { findWorkTree } from '../../system/git/workTree.ts';
import { UserError } from '../userError.ts';
import type { World } from '../world.ts';

/** Where an agent works. */
export interface LaunchFolder {
  readonly path: string;
  /** What HEAD was when it began; none outside git, or before the first commit. */
  readonly base: string | undefined;
  /** The branch of a work tree that we made, which only this launch writes to. */
  readonly ownBranch: string | null;
  readonly notes: readonly string[];
}

export interface FolderWish {
  readonly git: Git;
  readonly id: string;
  readonly world: World;
  readonly worktree: boolean;
}

export async function openFolder({ git, id, world, worktree }: FolderWish): Promise<LaunchFolder> {
  const here = await findWorkTree(git, world.cwd);
  const base = here.type === 'workTree' ? here.head : undefined;
  if (!worktree)
    return { path: world.cwd, base, ownBranch: null, notes: here.type === 'workTree' ? [] : [here.reason] };
  if (here.type !== 'workTree') throw new UserError(`--worktree needs a git repository: ${here.reason}`);
  const place = worktreePlace({ home: world.stopgateHome, topLevel: here.topLevel, id });
  const added = await addWorktree(git, { folder: here.topLevel, ...place });
  if (added.type !== 'added') throw new UserError(`--worktree: ${added.reason}`);
  const note = `it worked in ${added.path} on branch ${added.branch}; \`git worktree remove ${added.path}\` takes the folder away, the branch stays`;
  return { path: added.path, base: added.base, ownBranch: added.branch, notes: [note] };
}
