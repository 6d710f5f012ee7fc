import type { BuildRequest } from './buildTree.ts';
import type { ChosenChanges } from './chooseChanges.ts';
import { headTree } from './commitObject.ts';
import { unlikeCheckout } from './conversions/unlikeCheckout.ts';
import { formerlyTracked } from './formerlyTracked.ts';
import type { Git, GitFailure } from './git.ts';
import { inspectFiles } from './inspectFiles.ts';
import { onDisk } from './onDisk.ts';
import type { IndexScope } from './unhide.ts';

export interface RawChoices extends Pick<BuildRequest, 'workTree' | 'filters' | 'start' | 'paths'> {
  readonly scope: IndexScope;
  readonly chosen: ChosenChanges;
}

/**
 * Adds what `git status` does not list and what is on disk all the same: files that were tracked and are ignored now, and
 * files whose bytes no checkout would write although git takes them for unchanged.
 */
export async function addRawChoices(git: Git, choices: RawChoices): Promise<ChosenChanges | GitFailure> {
  const { workTree, start, scope, chosen, paths: asked = [], filters } = choices;
  const { topLevel } = workTree;
  const former = await formerlyTracked(git, { topLevel, start, now: await headTree(git, workTree) });
  if (!Array.isArray(former)) return former;
  const there = new Set([...former, ...(await onDisk(topLevel, [...chosen.deleted, ...asked]))]);
  const known = new Set(chosen.paths);
  const more = await inspectFiles(
    topLevel,
    [...there].filter((path) => !known.has(path)),
  );
  const changed = new Set([...known, ...there, ...chosen.deleted]);
  const converted = await unlikeCheckout(git, { workTree, scope, changed, filters });
  if (converted.type === 'failed') return converted;
  const hidden = await inspectFiles(topLevel, converted.paths);
  const added = [...more.files, ...hidden.files];
  return {
    ...chosen,
    deleted: chosen.deleted.filter((path) => !there.has(path)),
    paths: [...chosen.paths, ...added.map(({ path }) => path)],
    permissions: new Map([
      ...chosen.permissions,
      ...added.flatMap(({ path, permissions: one }) => (one === undefined ? [] : [[path, one] as const])),
    ]),
    leftOut: [...chosen.leftOut, ...more.leftOut, ...hidden.leftOut],
    notes: [...chosen.notes, ...converted.notes],
  };
}
