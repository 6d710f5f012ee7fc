import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * Why a worker claims nothing more: an agent removed its folder or its repository, where each further task would fail. Made when the
 * worker starts; asked before each claim, so without git.
 */
export function folderWatch(worktrees: boolean, cwd: string): () => string | null {
  const isRepository = hasGitAbove(cwd);
  return () => {
    if (!existsSync(cwd)) return `No task is claimed: ${cwd}, the folder of this worker, no longer exists.`;
    if (!(isRepository || worktrees) || hasGitAbove(cwd)) return null;
    const needs = worktrees ? '--worktrees needs a git repository, and ' : '';
    return `No task is claimed: ${needs}${cwd} is no longer in ${worktrees ? 'one' : 'a git repository'}.`;
  };
}

function hasGitAbove(folder: string): boolean {
  if (existsSync(path.join(folder, '.git'))) return true;
  const above = path.dirname(folder);
  return above !== folder && hasGitAbove(above);
}
