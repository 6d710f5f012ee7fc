import type { Git } from '../git/git.ts';
import { type PresentFiles, presentFiles } from '../git/presentFiles.ts';
import { findWorkTree } from '../git/workTree.ts';
import { addWorktree, worktreePlace } from '../git/worktrees.ts';
import { formatDuration } from '../system/formatDuration.ts';
import { shellWord } from '../system/shellWords.ts';
import { UserError } from '../system/userError.ts';
import type { World } from '../system/world.ts';

/** The folder of an agent. */
export interface LaunchFolder {
  readonly path: string;
  /** HEAD at the start; undefined outside git, or before the first commit. */
  readonly base: string | undefined;
  /** The files at the start, to distinguish its changes from earlier ones; undefined outside git. */
  readonly start: PresentFiles | undefined;
  /** The branch of our own worktree, which only this launch writes to. */
  readonly ownBranch: string | null;
  readonly notes: readonly string[];
}

export interface FolderWish {
  readonly git: Git;
  /** For what must be known within `START_MS`. */
  readonly startGit: Git;
  readonly id: string;
  readonly world: World;
  readonly worktree: boolean;
}

export async function openFolder({ git, startGit, id, world, worktree }: FolderWish): Promise<LaunchFolder> {
  const here = await findWorkTree(git, world.cwd);
  const base = here.type === 'workTree' ? here.head : undefined;
  if (!worktree) {
    if (here.type !== 'workTree') {
      return { path: world.cwd, base, start: undefined, ownBranch: null, notes: [here.reason] };
    }
    const start = await presentFiles(startGit, here);
    const notes = start === undefined ? [NOT_READ] : [];
    return { path: world.cwd, base, start, ownBranch: null, notes };
  }
  if (here.type !== 'workTree') throw new UserError(`--worktree needs a git repository: ${here.reason}`);
  const place = worktreePlace(world.stopgateHome, here.topLevel, id);
  const added = await addWorktree(git, { folder: here.topLevel, ...place });
  if (added.type !== 'added') throw new UserError(`--worktree: ${added.reason}`);
  const note = `worktree ${added.path} on branch ${added.branch}; \`git worktree remove ${shellWord(added.path)}\` removes the folder, the branch stays`;
  return { path: added.path, base: added.base, start: undefined, ownBranch: added.branch, notes: [note] };
}

/** Only a count depends on it, so a slow disk or filter must not delay the start. */
export const START_MS = 3_000;
const NOT_READ = `the files could not be read within ${formatDuration(START_MS)}, so the count of kept files includes earlier changes`;
