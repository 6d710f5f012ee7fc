import { rm } from 'node:fs/promises';
import { type Change, type ChangeList, listChanges } from './changes.ts';
import { chooseFiles, type SnapshotLimits } from './chooseFiles.ts';
import { type Filters, filterSettings } from './filters.ts';
import type { Git, GitEnd } from './git.ts';
import { writeIndexTree } from './indexTree.ts';
import { inspectFiles } from './inspectFiles.ts';
import type { LeftOut } from './leftOut.ts';
import { copyIndex } from './privateIndex.ts';
import { repeatCutShort } from './repeatCutShort.ts';
import { stageDeletions, stageFiles } from './stageFiles.ts';
import { type IndexScope, unhide } from './unhide.ts';
import type { WorkTree } from './workTree.ts';

type Failed = Extract<GitEnd, { type: 'failed' }>;

/** A repository inside this one, whose work is in nobody's tree but its own. */
export type InnerRepository = Extract<Change, { type: 'submodule' | 'repository' }>;

export interface BuiltTree {
  readonly type: 'built';
  /** What the work tree holds, as an object of the repository; none when nothing differs from HEAD. */
  readonly tree: string | undefined;
  /** What is staged; undefined when the index cannot be written as a tree. */
  readonly indexTree: string | undefined;
  readonly changedFiles: number;
  readonly leftOut: readonly LeftOut[];
  readonly inner: readonly InnerRepository[];
  /** What went otherwise than it should, in sentences. */
  readonly notes: readonly string[];
}

export interface BuildRequest {
  readonly workTree: WorkTree;
  readonly limits: SnapshotLimits;
  readonly filters: Filters;
}

const FILTERS_FAILED =
  'A filter that git is configured with (such as Git LFS) failed, so files are kept as they are on disk.';

/** Writes what is in a work tree as a tree, by way of an index of its own. Rejects as `node:fs` does. */
export async function buildTree(git: Git, request: BuildRequest): Promise<BuiltTree | Failed> {
  const { topLevel } = request.workTree;
  const off = await filterSettings(git, topLevel);
  const hasFilters = Object.keys(off).length > 0;
  if (request.filters === 'off') return await buildOnce(git, request, off);
  const notRun = await notRunFilters(git, topLevel);
  const once = await buildOnce(git, request, {});
  const built = once.type === 'built' ? { ...once, notes: [...once.notes, ...notRun] } : once;
  // a filter fails in many words, its own among them, so any failure may be its
  if (built.type === 'built' || !hasFilters || /did not end in time|interrupted/.test(built.reason)) return built;
  const raw = await buildOnce(git, request, off);
  return raw.type === 'built' ? { ...raw, notes: [FILTERS_FAILED] } : raw;
}

/** A filter that only the repository names may be any program, so it needs the user's trust. */
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
  { workTree, limits }: BuildRequest,
  settings: Readonly<Record<string, string>>,
): Promise<BuiltTree | Failed> {
  await using index = await copyIndex(workTree);
  const { topLevel } = workTree;
  const scope = { topLevel, indexFile: index.path, settings };
  const unusable = await makeUsable(git, workTree, scope);
  if (unusable) return unusable;
  const indexTree = await writeIndexTree(git, scope);
  const listed = await repeatCutShort(index.path, () => listChanges(git, { ...scope, maxUntracked: limits.files }));
  if (listed.type === 'failed') return listed;
  const chosen = await chooseChanges(topLevel, listed, limits);
  // HEAD is what there is; without one an empty index still has to become a tree
  if (chosen.paths.length + chosen.deleted.length > 0 || !workTree.head) {
    const built = await writeTree(git, scope, chosen);
    return built.type === 'built' ? { ...built, indexTree } : built;
  }
  const { leftOut, inner } = chosen;
  return { type: 'built', tree: undefined, indexTree, changedFiles: 0, leftOut, inner, notes: [] };
}

async function writeTree(
  git: Git,
  scope: IndexScope,
  chosen: ChosenChanges,
): Promise<Omit<BuiltTree, 'indexTree'> | Failed> {
  const { topLevel: folder, indexFile, settings } = scope;
  const stuck = await stageDeletions(git, { ...scope, paths: chosen.deleted });
  if (stuck) return stuck;
  const staged = await stageFiles(git, { ...scope, paths: chosen.paths });
  if (staged.type === 'failed') return staged;
  // objects that a partial clone does not have yet are no reason to fetch them, or to fail
  const write = { folder, args: ['write-tree', '--missing-ok'], indexFile, settings };
  const written = await repeatCutShort(indexFile, () => git.run(write));
  if (written.type === 'failed') return written;
  const leftOut = [...chosen.leftOut, ...staged.leftOut];
  const changedFiles = chosen.paths.length + chosen.deleted.length - staged.leftOut.length;
  return { type: 'built', tree: written.stdout.trim(), changedFiles, leftOut, inner: chosen.inner, notes: [] };
}

/** An index that git cannot read (a crash, a full disk) is replaced, in private, by what HEAD says. */
async function makeUsable(git: Git, { head }: WorkTree, scope: IndexScope): Promise<Failed | undefined> {
  const { topLevel, indexFile, settings } = scope;
  const hidden = await unhide(git, scope);
  if (!hidden || !/index file|bad signature|bad index/i.test(hidden.stderr)) return hidden;
  await rm(indexFile, { force: true });
  if (head === undefined) return undefined;
  const read = await git.run({ folder: topLevel, args: ['read-tree', 'HEAD'], indexFile, settings });
  return read.type === 'failed' ? read : undefined;
}

interface ChosenChanges {
  readonly paths: readonly string[];
  readonly deleted: readonly string[];
  readonly inner: readonly InnerRepository[];
  readonly leftOut: readonly LeftOut[];
}

async function chooseChanges(
  topLevel: string,
  { changes, uncounted, unreadable }: ChangeList,
  limits: SnapshotLimits,
): Promise<ChosenChanges> {
  const paths = (type: Change['type']) => changes.filter((change) => change.type === type).map(({ path }) => path);
  const tracked = await inspectFiles(topLevel, paths('tracked'));
  const untracked = await inspectFiles(topLevel, paths('untracked'));
  const chosen = chooseFiles(untracked.files, limits);
  const moved = changes.filter((change) => change.type === 'submodule' && change.isMoved).map(({ path }) => path);
  return {
    deleted: paths('deleted'),
    paths: [...tracked.files.map(({ path }) => path), ...chosen.kept, ...moved],
    inner: changes.filter(isInner),
    leftOut: [
      ...tracked.leftOut,
      ...untracked.leftOut,
      ...chosen.leftOut,
      ...unreadable.map((path) => ({ path, reason: 'a folder that may not be read' })),
      ...(uncounted ? [{ path: `${uncounted} more untracked files`, reason: `over ${limits.files} of them` }] : []),
    ],
  };
}

function isInner(change: Change): change is InnerRepository {
  return change.type === 'repository' || (change.type === 'submodule' && change.isDirty);
}
