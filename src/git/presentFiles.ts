import { buildTree } from './buildTree.ts';
import { DEFAULT_LIMITS } from './chooseFiles.ts';
import { headTree } from './commitObject.ts';
import type { Git } from './git.ts';
import { type RecordedModes, recordModes } from './recordedModes.ts';
import type { WorkTree } from './workTree.ts';

/** The files of a worktree as a tree that nothing points to, with the permissions of changed files. */
export interface PresentFiles {
  readonly tree: string;
  readonly modes: RecordedModes | undefined;
}

/** Undefined when it cannot be written. */
export async function presentFiles(git: Git, workTree: WorkTree): Promise<PresentFiles | undefined> {
  try {
    const built = await buildTree(git, { workTree, limits: DEFAULT_LIMITS, filters: 'run', bytes: 'raw' });
    return { tree: built.tree ?? (await headTree(git, workTree)), modes: recordModes(built.permissions) };
  } catch {
    // only a count depends on it; keeping the work reports what is wrong
    return undefined;
  }
}
