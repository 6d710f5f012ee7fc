import { buildTree } from './buildTree.ts';
import { DEFAULT_LIMITS } from './chooseFiles.ts';
import { headTree } from './commitObject.ts';
import type { Git } from './git.ts';
import type { WorkTree } from './workTree.ts';

/** What the files of a worktree are now, as a tree that nothing points to; undefined when it cannot be written. */
export async function presentTree(git: Git, workTree: WorkTree): Promise<string | undefined> {
  try {
    const built = await buildTree(git, { workTree, limits: DEFAULT_LIMITS, filters: 'run' });
    return built.type === 'failed' ? undefined : (built.tree ?? (await headTree(git, workTree)));
  } catch {
    // only a count depends on it; keeping the work reports what is wrong
    return undefined;
  }
}
