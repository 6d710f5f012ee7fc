import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Git } from './git.ts';
import { findWorkTree } from './workTree.ts';

export interface WorktreeRequest {
  /** Any folder of the repository. */
  readonly folder: string;
  /** Where the new worktree goes; must not exist. From `worktreePlace`. */
  readonly path: string;
  /** A branch that must not exist yet. */
  readonly branch: string;
}

export type AddedWorktree =
  | { readonly type: 'added'; readonly path: string; readonly branch: string; readonly base: string }
  | { readonly type: 'notARepository'; readonly reason: string }
  | { readonly type: 'failed'; readonly reason: string };

/** Where a worktree of our own and its branch are, by the repository's name and an id. */
export function worktreePlace({
  home,
  topLevel,
  id,
}: {
  readonly home: string;
  readonly topLevel: string;
  readonly id: string;
}): { readonly path: string; readonly branch: string } {
  const plain = (text: string) =>
    text
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/\.{2,}/g, '.')
      .replace(/^[.-]+|\.lock$|[.-]+$/g, '');
  const name = plain(id) || 'unnamed';
  return {
    path: join(home, 'worktrees', `${plain(basename(topLevel)) || 'repository'}-${name}`),
    branch: `sg/${name}`,
  };
}

/** A worktree with a new branch from HEAD. Uncommitted changes stay where they are; submodules are left empty. */
export async function addWorktree(git: Git, { folder, path, branch }: WorktreeRequest): Promise<AddedWorktree> {
  const workTree = await findWorkTree(git, folder);
  if (workTree.type !== 'workTree') return workTree;
  const { head: base, topLevel } = workTree;
  if (base === undefined) {
    return { type: 'failed', reason: `${topLevel} has no commit yet that a worktree could start from.` };
  }
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    return { type: 'failed', reason: `${error instanceof Error ? error.message : String(error)}.` };
  }
  const args = ['worktree', 'add', '--quiet', '-b', branch, '--', path, base];
  // a partial clone has to fetch what is checked out
  const added = await git.run({ folder: topLevel, args, mayFetch: true });
  return added.type === 'failed' ? { type: 'failed', reason: added.reason } : { type: 'added', path, branch, base };
}
