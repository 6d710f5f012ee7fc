import type { InnerRepository } from './buildTree.ts';
import type { Change, ChangeList } from './changes.ts';
import { chooseFiles, type SnapshotLimits } from './chooseFiles.ts';
import { inspectFiles } from './inspectFiles.ts';
import type { LeftOut } from './leftOut.ts';

/** What of a worktree goes into a tree beside what HEAD has. */
export interface ChosenChanges {
  readonly paths: readonly string[];
  readonly deleted: readonly string[];
  readonly inner: readonly InnerRepository[];
  readonly leftOut: readonly LeftOut[];
  readonly stagedApart: readonly string[];
  readonly permissions: ReadonlyMap<string, number>;
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
    permissions: new Map(
      [...tracked.files, ...untracked.files].flatMap(({ path, permissions: one }) =>
        one === undefined ? [] : [[path, one]],
      ),
    ),
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
