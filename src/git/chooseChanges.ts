import type { Change, ChangeList, InnerRepository } from './changes.ts';
import { chooseFiles, type SnapshotLimits } from './chooseFiles.ts';
import { headTree } from './commitObject.ts';
import { unlikeCheckout } from './conversions/unlikeCheckout.ts';
import type { Filters } from './filters.ts';
import type { Git } from './git.ts';
import { type InspectedFile, inspectFiles } from './inspectFiles.ts';
import type { LeftOut } from './leftOut.ts';
import { formerlyTracked, onDisk } from './onDisk.ts';
import type { IndexScope } from './privateIndex.ts';
import type { WorkTree } from './workTree.ts';

/** The changes of a worktree that go into a tree, compared with HEAD. */
export interface ChosenChanges {
  readonly paths: readonly string[];
  readonly deleted: readonly string[];
  readonly inner: readonly InnerRepository[];
  readonly leftOut: readonly LeftOut[];
  /** Files whose staged version is neither committed nor in the file. */
  readonly stagedApart: readonly string[];
  /** Of the files that differ from HEAD; git records only whether one is executable. */
  readonly permissions: ReadonlyMap<string, number>;
  /** What did not go as expected, in sentences. */
  readonly notes: readonly string[];
}

export async function chooseChanges(
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
    stagedApart: changes.filter((one) => 'isStagedApart' in one && one.isStagedApart).map(({ path }) => path),
    permissions: new Map(permissionsOf([...tracked.files, ...untracked.files])),
    notes: [],
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

const permissionsOf = (files: readonly InspectedFile[]) =>
  files.flatMap(({ path, permissions: one }) => (one === undefined ? [] : [[path, one] as const]));

export interface RawChoices {
  readonly filters: Filters;
  /** A tree: files of it that are still on disk are included, even if git ignores them now. */
  readonly start?: string | undefined;
  /** Files that are included as they are on disk, even if git ignores them or considers them unchanged. */
  readonly paths?: readonly string[];
  readonly scope: IndexScope;
  readonly chosen: ChosenChanges;
}

/**
 * Adds files that `git status` does not list: those that were tracked and are ignored now, and those that git considers
 * unchanged although a checkout would write other bytes.
 */
export async function addRawChoices(
  git: Git,
  workTree: WorkTree,
  { start, scope, chosen, paths = [], filters }: RawChoices,
): Promise<ChosenChanges> {
  const { folder } = scope;
  const former = await formerlyTracked(git, folder, { start, now: await headTree(git, workTree) });
  const there = new Set([...former, ...(await onDisk(folder, [...chosen.deleted, ...paths]))]);
  const known = new Set(chosen.paths);
  const more = await inspectFiles(
    folder,
    [...there].filter((path) => !known.has(path)),
  );
  const changed = new Set([...known, ...there, ...chosen.deleted]);
  const converted = await unlikeCheckout(git, { scope, changed, filters });
  const hidden = await inspectFiles(folder, converted.paths);
  const added = [...more.files, ...hidden.files];
  return {
    ...chosen,
    deleted: chosen.deleted.filter((path) => !there.has(path)),
    paths: [...chosen.paths, ...added.map(({ path }) => path)],
    permissions: new Map([...chosen.permissions, ...permissionsOf(added)]),
    leftOut: [...chosen.leftOut, ...more.leftOut, ...hidden.leftOut],
    notes: [...chosen.notes, ...converted.notes],
  };
}
