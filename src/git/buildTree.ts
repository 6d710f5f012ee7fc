import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type InnerRepository, listChanges } from './changes.ts';
import { addRawChoices, type ChosenChanges, chooseChanges } from './chooseChanges.ts';
import type { SnapshotLimits } from './chooseFiles.ts';
import { type Filters, filterSettings } from './filters.ts';
import type { Git, GitFailure } from './git.ts';
import { writeIndexTree } from './indexTree.ts';
import type { LeftOut } from './leftOut.ts';
import { copyIndex, type IndexScope, unhide } from './privateIndex.ts';
import { shownPath } from './quotedPath.ts';
import { repeatCutShort } from './repeatCutShort.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import type { WorkTree } from './workTree.ts';
import { writeConvertedTree, writeRawTree } from './writeTree.ts';

export interface BuiltTree {
  readonly type: 'built';
  /** The tree of the worktree; undefined when nothing differs from HEAD. */
  readonly tree: string | undefined;
  /** What is staged; undefined when the index cannot be written as a tree. */
  readonly indexTree: string | undefined;
  /** Files whose staged version is neither committed nor in the file. */
  readonly stagedApart: readonly string[];
  /** Of the files that differ from HEAD; git records only whether one is executable. */
  readonly permissions: ReadonlyMap<string, number>;
  readonly changedFiles: number;
  readonly leftOut: readonly LeftOut[];
  readonly inner: readonly InnerRepository[];
  /** What did not go as expected, in sentences. */
  readonly notes: readonly string[];
}

export interface BuildRequest {
  readonly workTree: WorkTree;
  readonly limits: SnapshotLimits;
  readonly filters: Filters;
  /** `raw`: files as they are on disk. `converted`: as `git add` stores them, for a commit on a branch. */
  readonly bytes: 'raw' | 'converted';
  /** A tree: files of it that are still on disk are included, even if git ignores them now. */
  readonly start?: string | undefined;
  /** Files that are included as they are on disk, even if git ignores them or considers them unchanged. */
  readonly paths?: readonly string[];
}

const FILTERS_FAILED =
  'A filter that git is configured with (such as Git LFS) failed, so every file that it converts counts as changed.';

/** Writes the files of a worktree as a tree, by way of a private index. Rejects as `node:fs` does. */
export async function buildTree(git: Git, request: BuildRequest): Promise<BuiltTree | GitFailure> {
  const { topLevel } = request.workTree;
  const off = await filterSettings(git, topLevel);
  const hasFilters = Object.keys(off).length > 0;
  if (request.filters === 'off') return await buildOnce(git, request, off);
  const notRun = await notRunFilters(git, topLevel);
  const once = await buildOnce(git, request, {});
  const built = once.type === 'built' ? { ...once, notes: [...once.notes, ...notRun] } : once;
  // the messages of a filter are not known, so any failure may be the filter's
  if (built.type === 'built' || !hasFilters || /did not end in time|interrupted/.test(built.reason)) return built;
  const raw = await buildOnce(git, request, off);
  return raw.type === 'built' ? { ...raw, notes: [FILTERS_FAILED] } : raw;
}

/** A filter of the repository's own configuration may be any program, so it needs the user's trust. */
async function notRunFilters(git: Git, folder: string): Promise<readonly string[]> {
  const found = await git.programsOff(folder);
  const filters = found.type === 'failed' ? [] : found.keys.filter((key) => /^filter\.(?!.*\.required$)/s.test(key));
  if (filters.length === 0) return [];
  const named = filters.slice(0, 3).join(', ');
  return [
    `Files are kept as they are on disk: ${named} in the repository's own configuration did not run, because this folder is not trusted (see stopgate trust).`,
  ];
}

async function buildOnce(
  git: Git,
  request: BuildRequest,
  settings: Readonly<Record<string, string>>,
): Promise<BuiltTree | GitFailure> {
  const { workTree, limits } = request;
  await using folder = await temporaryFolder('index');
  const scope = { topLevel: workTree.topLevel, indexFile: join(folder.path, 'index'), settings };
  await copyIndex(workTree, scope.indexFile);
  const unusable = await makeUsable(git, workTree, scope);
  if (unusable) return unusable;
  const indexTree = await writeIndexTree(git, scope);
  const listed = await repeatCutShort(scope.indexFile, () =>
    listChanges(git, { ...scope, maxUntracked: limits.files }),
  );
  if (listed.type === 'failed') return listed;
  const plain = await chooseChanges(workTree.topLevel, listed, limits);
  const chosen = request.bytes === 'raw' ? await addRawChoices(git, { ...request, scope, chosen: plain }) : plain;
  if ('type' in chosen) return chosen;
  const written = await write(git, request, scope, chosen);
  if (written.type === 'failed') return written;
  const { inner, notes, stagedApart } = chosen;
  const { tree, leftOut } = written;
  const without = new Set(leftOut.map(({ path }) => path));
  const permissions = new Map([...chosen.permissions].filter(([path]) => !without.has(shownPath(path))));
  return {
    ...{ type: 'built', tree, indexTree, stagedApart, permissions, inner, notes },
    changedFiles: chosen.paths.length + chosen.deleted.length - leftOut.length,
    leftOut: [...chosen.leftOut, ...leftOut],
  };
}

async function write(git: Git, { workTree, bytes }: BuildRequest, scope: IndexScope, chosen: ChosenChanges) {
  // nothing to write; but without HEAD the empty index has to become a tree
  if (chosen.paths.length + chosen.deleted.length === 0 && workTree.head) {
    return { type: 'written', tree: undefined, leftOut: [] } as const;
  }
  return bytes === 'raw'
    ? await writeRawTree(git, { workTree, scope, chosen })
    : await writeConvertedTree(git, { scope, chosen });
}

/** Replaces a private index that git cannot read (a crash, a full disk) by HEAD. */
async function makeUsable(git: Git, { head }: WorkTree, scope: IndexScope): Promise<GitFailure | undefined> {
  const { topLevel, indexFile, settings } = scope;
  const hidden = await unhide(git, scope);
  if (!hidden || !/index file|bad signature|bad index/i.test(hidden.stderr)) return hidden;
  await rm(indexFile, { force: true });
  if (head === undefined) return undefined;
  const read = await git.run({ folder: topLevel, args: ['read-tree', 'HEAD'], indexFile, settings });
  return read.type === 'failed' ? read : undefined;
}
