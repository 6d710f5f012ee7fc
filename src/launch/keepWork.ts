import { headTree, readRef, treeOf } from '../git/commitObject.ts';
import { type CommittedWork, commitWork } from '../git/commitWork.ts';
import { failureOf, type Git } from '../git/git.ts';
import { keepSnapshot } from '../git/keepSnapshot.ts';
import { describeLeftOut } from '../git/leftOut.ts';
import type { PresentFiles } from '../git/presentFiles.ts';
import { recoverCommand, snapshotRef } from '../git/snapshotRef.ts';
import { type Snapshot, type Surroundings, snapshotWorkTree } from '../git/snapshotWorkTree.ts';
import { diffTrees } from '../git/treeDiff.ts';
import { findWorkTree } from '../git/workTree.ts';

/** The outcome of keeping uncommitted work, in any way. */
export type KeptWork =
  | {
      readonly type: 'kept';
      readonly where: string;
      readonly commit: string;
      /** Changed since the work began. */
      readonly files: number;
      /** Already changed before. */
      readonly earlierFiles: number;
      /** With another staged version, which is kept as well. */
      readonly stagedFiles: number;
      /** The command that restores it; null when it is on the branch already. */
      readonly recover: string | null;
      readonly notes: readonly string[];
    }
  | { readonly type: 'nothing'; readonly notes: readonly string[] }
  | { readonly type: 'notKept'; readonly reason: string };

export interface Keeping {
  readonly git: Git;
  readonly folder: string;
  readonly id: string;
  readonly message: string;
  /** What the work was for, and when it was kept, as `stopgate restore` lists it. */
  readonly from: string;
  readonly stage?: string;
  /** The files when the work began; without it every file counts as changed since. */
  readonly start?: PresentFiles | undefined;
  /** The tree or commit at the start: its files are kept although git may ignore them now. */
  readonly began?: string | undefined;
}

/**
 * Keeps what was uncommitted before the work began: an agent may discard it (`git checkout .`). Returns sentences about
 * failures.
 */
export async function keepStart({ git, folder, id, from, start }: Keeping): Promise<readonly string[]> {
  const workTree = start === undefined ? undefined : await findWorkTree(git, folder);
  if (start === undefined || workTree?.type !== 'workTree') return [];
  const committed = await headTree(git, workTree).catch(failureOf);
  if (typeof committed !== 'string') return [notKeptBefore(committed.reason)];
  if (start.tree === committed) return [];
  const { head: base, branch } = workTree;
  const kept = await keepSnapshot(git, {
    workTree,
    ref: snapshotRef(id),
    message: 'The files before the start',
    tree: start.tree,
    indexTree: undefined,
    record: { base, branch, from, stage: 'before the start', bytes: 'raw', modes: start.modes },
  });
  return kept.type === 'kept' ? [] : [notKeptBefore(kept.reason)];
}

const notKeptBefore = (reason: string) => `the files before the start could not be kept: ${reason}`;

/** When nothing is uncommitted at the end, an earlier state may be what the user wants. */
export async function withEarlier({ git, folder, id }: Keeping, kept: KeptWork): Promise<KeptWork> {
  if (kept.type !== 'nothing') return kept;
  const ref = snapshotRef(id);
  if ((await readRef(git, folder, ref)) === undefined) return kept;
  return { ...kept, notes: [...kept.notes, `an earlier state is kept: ${recoverCommand(ref)}`] };
}

/** In a private ref: branch, index and files stay untouched. */
export async function keepBeside(keeping: Keeping): Promise<KeptWork> {
  const { git, folder, id, message, from, stage, began } = keeping;
  const wish = { folder, ref: snapshotRef(id), message, from, start: began, ...(stage !== undefined && { stage }) };
  return keptWork(keeping, await snapshotWorkTree(git, wish));
}

/** On the current branch; in a private ref where that would be wrong, with the reason. */
export async function keepOnBranch(
  keeping: Keeping,
  options: { readonly branch?: string; readonly allowDefaultBranch: boolean },
): Promise<KeptWork> {
  const { git, folder, id, message, from, began } = keeping;
  const fallbackRef = snapshotRef(id);
  const wish = { folder, message, from, start: began, fallbackRef, ...options };
  return keptWork(keeping, await commitWork(git, wish));
}

async function keptWork(keeping: Keeping, work: CommittedWork | Snapshot): Promise<KeptWork> {
  if (work.type === 'snapshotInstead') {
    const kept = await keptWork(keeping, work.snapshot);
    return kept.type === 'kept' ? { ...kept, notes: [work.reason, ...kept.notes] } : kept;
  }
  if ('reason' in work) return { type: 'notKept', reason: work.reason };
  const notes = notesOf(work);
  if (!('commit' in work)) return { type: 'nothing', notes };
  const counts = await countFiles(keeping, work);
  const place =
    work.type === 'committed'
      ? { where: `branch ${work.branch}`, stagedFiles: 0, recover: null }
      : { where: work.ref, stagedFiles: work.stagedFiles, recover: work.recover };
  return { type: 'kept', commit: work.commit, ...counts, ...place, notes };
}

type Counted = Pick<Extract<Snapshot, { type: 'kept' }>, 'commit' | 'parent' | 'changedFiles'>;

/** The tree also contains what was uncommitted before the work began; this separates the two. */
async function countFiles({ git, folder, start }: Keeping, { commit, parent, changedFiles }: Counted) {
  const all = { files: changedFiles, earlierFiles: 0 };
  if (start === undefined) return all;
  const base = await treeOf(git, folder, parent).catch(() => undefined);
  if (base === undefined) return all;
  const trees = [base, start.tree].map((tree) => diffTrees(git, folder, [tree, `${commit}^{tree}`]));
  const [uncommitted, since] = await Promise.all(trees).catch(() => []);
  if (uncommitted === undefined || since === undefined) return all;
  const files = [...uncommitted.keys()].filter((path) => since.has(path)).length;
  return { files, earlierFiles: uncommitted.size - files };
}

/** `2 files`, with earlier changes and staged versions counted separately. */
export function countText({ files, earlierFiles, stagedFiles }: Extract<KeptWork, { type: 'kept' }>): string {
  const number = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
  const earlier = files === 0 ? number(earlierFiles, 'file') : earlierFiles;
  const parts = [
    ...(files > 0 || earlierFiles + stagedFiles === 0 ? [number(files, 'file')] : []),
    ...(earlierFiles > 0 ? [`${earlier} changed before the start`] : []),
    ...(stagedFiles > 0 ? [number(stagedFiles, 'staged version')] : []),
  ];
  return parts.join(' and ');
}

/** With what is not in the commit: inner repositories, which keep their own work, and files that are not kept. */
function notesOf({ notes, leftOut, inside }: Surroundings): readonly string[] {
  const inner = inside.flatMap(({ path, snapshot }) =>
    snapshot.type === 'kept'
      ? [`the repository in ${path} keeps ${snapshot.changedFiles} files itself: ${recoverCommand(snapshot.ref, path)}`]
      : [],
  );
  return [...notes, ...leftOut.map(describeLeftOut), ...inner];
}
