import type { Git } from './git.ts';
import { oneLine } from './workTree.ts';

/** What a repository without a remote calls its default branch, by custom. */
const CUSTOMARY = ['main', 'master', 'trunk', 'develop'];

/** Whether a branch is the one others build on. In doubt it is: not committing there can be mended by a merge. */
export async function isDefaultBranch(git: Git, folder: string, branch: string): Promise<boolean> {
  const [remote, configured] = await Promise.all([
    oneLine(git, folder, ['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD']),
    oneLine(git, folder, ['config', '--get', 'init.defaultBranch']),
  ]);
  return [...CUSTOMARY, configured, remote?.replace(/^origin\//, '')].includes(branch);
}
