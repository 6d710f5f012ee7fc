import { join } from 'node:path';
import { listChanges } from './changes.ts';
import { addRawChoices, type ChosenChanges, chooseChanges, type RawChoices } from './chooseChanges.ts';
import type { SnapshotLimits } from './chooseFiles.ts';
import { filterSettings } from './filters.ts';
import { type Git, GitError } from './git.ts';
import type { Settings } from './hardening.ts';
import { copyIndex, type IndexScope, makeUsable, writeIndexTree } from './privateIndex.ts';
import { shownPath } from './quotedPath.ts';
import { repeatCutShort } from './repeatCutShort.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import type { WorkTree } from './workTree.ts';
import { writeConvertedTree, writeRawTree } from './writeTree.ts';

export interface BuiltTree extends Omit<ChosenChanges, 'paths' | 'deleted'> {
  /** The tree of the worktree; undefined when nothing differs from HEAD. */
  readonly tree: string | undefined;
  /** What is staged; undefined when the index cannot be written as a tree. */
  readonly indexTree: string | undefined;
  readonly changedFiles: number;
}

export interface BuildRequest extends Pick<RawChoices, 'filters' | 'start' | 'paths'> {
  readonly workTree: WorkTree;
  readonly limits: SnapshotLimits;
  /** `raw`: files as they are on disk. `converted`: as `git add` stores them, for a commit on a branch. */
  readonly bytes: 'raw' | 'converted';
}

const FILTERS_FAILED =
  'A filter that git is configured with (such as Git LFS) failed, so every file that it converts counts as changed.';

/** Writes the files of a worktree as a tree, by way of a private index. Rejects. */
export async function buildTree(git: Git, request: BuildRequest): Promise<BuiltTree> {
  const { topLevel } = request.workTree;
  const off = await filterSettings(git, topLevel);
  if (request.filters === 'off') return await buildOnce(git, request, off);
  const notRun = await notRunFilters(git, topLevel);
  try {
    const built = await buildOnce(git, request, {});
    return { ...built, notes: [...built.notes, ...notRun] };
  } catch (error) {
    // the messages of a filter are not known, so any failure may be the filter's
    const mayBeFilter = error instanceof GitError && !/did not end in time|interrupted/.test(error.message);
    if (!mayBeFilter || Object.keys(off).length === 0) throw error;
    return { ...(await buildOnce(git, request, off)), notes: [FILTERS_FAILED] };
  }
}

/** A filter of the repository's own configuration may be any program, so it needs the user's trust. */
async function notRunFilters(git: Git, folder: string): Promise<readonly string[]> {
  const off = await git.programsOff(folder).catch(() => ({}));
  const filters = Object.keys(off).filter((key) => /^filter\.(?!.*\.required$)/s.test(key));
  if (filters.length === 0) return [];
  const named = filters.slice(0, 3).join(', ');
  return [
    `Files are kept as they are on disk: ${named} in the repository's own configuration did not run, because this folder is not trusted (see stopgate trust).`,
  ];
}

async function buildOnce(git: Git, request: BuildRequest, settings: Settings): Promise<BuiltTree> {
  const { workTree, limits } = request;
  await using temporary = await temporaryFolder('index');
  const scope = { folder: workTree.topLevel, indexFile: join(temporary.path, 'index'), settings };
  await copyIndex(workTree, scope.indexFile);
  await makeUsable(git, scope, workTree.head);
  const indexTree = await writeIndexTree(git, scope);
  const list = () => listChanges(git, { ...scope, maxUntracked: limits.files });
  const plain = await chooseChanges(scope.folder, await repeatCutShort(scope.indexFile, list), limits);
  const chosen =
    request.bytes === 'raw' ? await addRawChoices(git, workTree, { ...request, scope, chosen: plain }) : plain;
  const { tree, leftOut } = await write(git, request, scope, chosen);
  const { inner, notes, stagedApart } = chosen;
  const without = new Set(leftOut.map(({ path }) => path));
  const permissions = new Map([...chosen.permissions].filter(([path]) => !without.has(shownPath(path))));
  return {
    ...{ tree, indexTree, stagedApart, permissions, inner, notes },
    changedFiles: chosen.paths.length + chosen.deleted.length - leftOut.length,
    leftOut: [...chosen.leftOut, ...leftOut],
  };
}

async function write(git: Git, { workTree, bytes }: BuildRequest, scope: IndexScope, chosen: ChosenChanges) {
  // nothing to write; but without HEAD the empty index has to become a tree
  if (chosen.paths.length + chosen.deleted.length === 0 && workTree.head) return { tree: undefined, leftOut: [] };
  return bytes === 'raw'
    ? await writeRawTree(git, workTree, { scope, chosen })
    : await writeConvertedTree(git, scope, chosen);
}
