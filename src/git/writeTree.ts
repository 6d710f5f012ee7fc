import type { ChosenChanges } from './chooseChanges.ts';
import { headTree } from './commitObject.ts';
import type { Git, GitFailure } from './git.ts';
import type { LeftOut } from './leftOut.ts';
import { openRawGit } from './rawGit.ts';
import { repeatCutShort } from './repeatCutShort.ts';
import { stageDeletions, stageFiles } from './stageFiles.ts';
import type { IndexScope } from './unhide.ts';
import type { WorkTree } from './workTree.ts';

export type WrittenTree =
  | { readonly type: 'written'; readonly tree: string; readonly leftOut: readonly LeftOut[] }
  | GitFailure;

interface Writing {
  readonly scope: IndexScope;
  readonly chosen: ChosenChanges;
}

/** As `git add` would store the files: filters run, line ends are converted. Spends the private index. */
export const writeConvertedTree = (git: Git, writing: Writing): Promise<WrittenTree> => stageAndWrite(git, writing);

async function stageAndWrite(git: Git, { scope, chosen }: Writing): Promise<WrittenTree> {
  const stuck = await stageDeletions(git, { ...scope, paths: chosen.deleted });
  if (stuck) return stuck;
  const staged = await stageFiles(git, { ...scope, paths: chosen.paths });
  if (staged.type === 'failed') return staged;
  // objects that a partial clone does not have yet are no reason to fetch them, or to fail
  const { topLevel: folder, indexFile, settings } = scope;
  const write = { folder, args: ['write-tree', '--missing-ok'], indexFile, settings };
  const written = await repeatCutShort(indexFile, () => git.run(write));
  if (written.type === 'failed') return written;
  return { type: 'written', tree: written.stdout.trim(), leftOut: staged.leftOut };
}

/**
 * Byte for byte as the files are on disk. From an index that knows no file's times: git would take a file that was staged
 * for one that it need not read, and so keep the converted content.
 */
export async function writeRawTree(
  git: Git,
  { workTree, scope, chosen }: Writing & { readonly workTree: WorkTree },
): Promise<WrittenTree> {
  await using raw = await openRawGit(git, workTree);
  const own = { ...scope, indexFile: `${scope.indexFile}.raw`, settings: {} };
  const head = await headTree(git, workTree);
  const read = await raw.git.run({ folder: own.topLevel, args: ['read-tree', head], indexFile: own.indexFile });
  if (read.type === 'failed') return read;
  return await stageAndWrite(raw.git, { scope: own, chosen });
}
