import { copyFile, rm } from 'node:fs/promises';
import type { Git } from './git.ts';
import type { IndexScope } from './privateIndex.ts';
import { diffTrees } from './treeDiff.ts';

/**
 * The tree of a private index: the staged versions. Paths in conflict have none and are left out; the merged commits
 * hold both sides. Undefined when git cannot write it.
 */
export async function writeIndexTree(git: Git, scope: IndexScope): Promise<string | undefined> {
  const written = await writeTree(git, scope);
  if (written.type === 'done') return written.stdout.trim();
  if (!/unmerged/.test(written.stderr)) return undefined;
  const indexFile = `${scope.indexFile}.staged`;
  await copyFile(scope.indexFile, indexFile);
  try {
    const without = { ...scope, indexFile };
    await dropConflicts(git, without);
    const partial = await writeTree(git, without);
    return partial.type === 'done' ? partial.stdout.trim() : undefined;
  } finally {
    await rm(indexFile, { force: true });
  }
}

const writeTree = (git: Git, { topLevel: folder, indexFile, settings }: IndexScope) =>
  git.run({ folder, args: ['write-tree', '--missing-ok'], indexFile, settings });

async function dropConflicts(git: Git, { topLevel: folder, indexFile, settings }: IndexScope): Promise<void> {
  const paths = new Set<string>();
  const onLine = (line: string) => void paths.add(line.slice(line.indexOf('\t') + 1));
  await git.run({ folder, args: ['ls-files', '--unmerged'], indexFile, settings, onLine });
  const input = `${[...paths].join('\n')}\n`;
  await git.run({ folder, args: ['update-index', '--force-remove', '--stdin'], indexFile, settings, input });
}

export interface StagedFacts {
  readonly folder: string;
  readonly headTree: string;
  readonly indexTree: string | undefined;
  /** Of the files. */
  readonly tree: string;
}

/** Paths whose staged version is neither committed nor in its file: only the index has it. */
export async function stagedApart(git: Git, { folder, headTree, indexTree, tree }: StagedFacts): Promise<string[]> {
  if (indexTree === undefined || indexTree === headTree || indexTree === tree) return [];
  const [staged, unstaged] = await Promise.all([
    diffTrees(git, folder, [headTree, indexTree]),
    diffTrees(git, folder, [indexTree, tree]),
  ]);
  if (staged.type === 'failed' || unstaged.type === 'failed') return [];
  return [...staged.changes].filter(([path, { after }]) => after && unstaged.changes.has(path)).map(([path]) => path);
}
