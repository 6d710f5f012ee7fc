import type { ChosenChanges } from './chooseChanges.ts';
import { headTree } from './commitObject.ts';
import { type Git, GitError, outputOf } from './git.ts';
import type { LeftOut } from './leftOut.ts';
import { type IndexScope, updateIndex, writeTree } from './privateIndex.ts';
import { pathBytes, shownPath } from './quotedPath.ts';
import { withRawGit } from './rawGit.ts';
import { repeatCutShort, unlock } from './repeatCutShort.ts';
import type { WorkTree } from './workTree.ts';

export interface WrittenTree {
  readonly tree: string;
  readonly leftOut: readonly LeftOut[];
}

/** As `git add` would store the files: filters run, line endings are converted. Changes the private index. */
export async function writeConvertedTree(git: Git, scope: IndexScope, chosen: ChosenChanges): Promise<WrittenTree> {
  // by force: git would refuse a path that is now below a symbolic link
  await updateIndex(git, scope, ['--force-remove'], chosen.deleted);
  const leftOut = await stageFiles(git, scope, chosen.paths);
  return { tree: await repeatCutShort(scope.indexFile, () => writeTree(git, scope)), leftOut };
}

/**
 * Byte for byte as the files are on disk. The index is a new one without file times; otherwise git would not read staged
 * files again and would keep the converted content.
 */
export async function writeRawTree(
  git: Git,
  workTree: WorkTree,
  { scope, chosen }: { readonly scope: IndexScope; readonly chosen: ChosenChanges },
): Promise<WrittenTree> {
  const own = { ...scope, indexFile: `${scope.indexFile}.raw`, settings: {} };
  const head = await headTree(git, workTree);
  return await withRawGit(git, workTree, async (raw) => {
    await outputOf(raw, { ...own, args: ['read-tree', head] });
    return await writeConvertedTree(raw, own, chosen);
  });
}

const ADD = ['--add', '--remove', '--replace'];

/** When more files cannot be read, the disk is broken, not the files. */
const MAX_BAD_FILES = 50;

/** Errors that are not the file's fault: every other file would fail as well. */
const STORE_FAILED =
  /repository database|temporary file|No space left|quota exceeded|Read-only file system|unable to (write|deflate)/i;

/**
 * Adds files to a private index. A file that cannot be read is tried twice, because it may be being written, and then
 * left out and named.
 */
async function stageFiles(git: Git, scope: IndexScope, all: readonly string[]): Promise<readonly LeftOut[]> {
  const leftOut: LeftOut[] = [];
  let paths = all;
  let suspect: string | undefined;
  for (;;) {
    try {
      await updateIndex(git, scope, ADD, paths);
      return leftOut;
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      const { wasCutShort, stderr } = error.failure;
      if (wasCutShort) return [...leftOut, ...(await stageHalves(git, scope, paths))];
      const bad = badPath(stderr, paths);
      if (bad === undefined || STORE_FAILED.test(stderr) || leftOut.length >= MAX_BAD_FILES) throw error;
      if (bad === suspect) {
        leftOut.push({ path: shownPath(bad), reason: `it could not be read (${complaint(stderr)})` });
        paths = paths.filter((path) => path !== bad);
      }
      suspect = bad;
    }
  }
}

/** One of the files killed git, which did not report which one: found by halving the list. */
async function stageHalves(git: Git, scope: IndexScope, paths: readonly string[]): Promise<readonly LeftOut[]> {
  await unlock(scope.indexFile);
  const half = Math.ceil(paths.length / 2);
  if (half < paths.length) {
    const first = await stageFiles(git, scope, paths.slice(0, half));
    return [...first, ...(await stageFiles(git, scope, paths.slice(half)))];
  }
  try {
    await repeatCutShort(scope.indexFile, () => updateIndex(git, scope, ADD, paths));
    return [];
  } catch (error) {
    if (!(error instanceof GitError) || STORE_FAILED.test(error.failure.stderr)) throw error;
    return paths.map((path) => ({ path: shownPath(path), reason: 'it kept changing while it was read' }));
  }
}

/** Git prints the path unquoted, so it is looked up among those given. */
function badPath(stderr: string, paths: readonly string[]): string | undefined {
  const named = /^fatal: Unable to process path (.*)$/m.exec(stderr)?.[1]?.trimEnd();
  return named === undefined ? undefined : paths.find((path) => pathBytes(path).toString('utf8').trimEnd() === named);
}

function complaint(stderr: string): string {
  const line = /^(?:error|fatal): (.*)$/m.exec(stderr)?.[1] ?? 'git gave no reason';
  return line.slice(0, 200);
}
