import { type CommittedWork, commitWork } from '../../system/git/commitWork.ts';
import type { Git } from '../../system/git/git.ts';
import type { InnerSnapshot } from '../../system/git/innerSnapshots.ts';
import { describeLeftOut, type LeftOut } from '../../system/git/leftOut.ts';
import { snapshotRef } from '../../system/git/snapshotRef.ts';
import { type Snapshot, snapshotWorkTree } from '../../system/git/snapshotWorkTree.ts';

/** What became of work that was not committed, in one shape for every way of keeping it. */
export type KeptWork =
  | {
      readonly type: 'kept';
      readonly where: string;
      readonly commit: string;
      readonly files: number;
      /** The one command that brings it back; none when it is on the branch already. */
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
}

/** Into a private ref: neither branch nor index nor files are touched. */
export async function keepBeside({ git, folder, id, message }: Keeping): Promise<KeptWork> {
  return keptSnapshot(await snapshotWorkTree(git, { folder, ref: snapshotRef(id), message }));
}

/** On the branch that is checked out, as asked; beside it where that would be wrong, with the reason. */
export async function keepOnBranch(
  { git, folder, id, message }: Keeping,
  options: { readonly branch?: string; readonly allowDefaultBranch: boolean },
): Promise<KeptWork> {
  const { branch, allowDefaultBranch } = options;
  const fallbackRef = snapshotRef(id);
  const wish = { folder, message, fallbackRef, allowDefaultBranch, ...(branch !== undefined && { branch }) };
  return keptCommit(await commitWork(git, wish));
}

function keptCommit(work: CommittedWork): KeptWork {
  if (work.type === 'nothingToCommit') return { type: 'nothing', notes: besides(work) };
  if (work.type === 'snapshotInstead') {
    const kept = keptSnapshot(work.snapshot);
    return kept.type === 'kept' ? { ...kept, notes: [work.reason, ...kept.notes] } : kept;
  }
  if (work.type !== 'committed') return { type: 'notKept', reason: work.reason };
  const { branch, commit, changedFiles } = work;
  const notes = [...work.notes, ...besides(work)];
  return { type: 'kept', where: `branch ${branch}`, commit, files: changedFiles, recover: null, notes };
}

function keptSnapshot(snapshot: Snapshot): KeptWork {
  if (snapshot.type === 'nothingToKeep') return { type: 'nothing', notes: [...snapshot.notes, ...besides(snapshot)] };
  if (snapshot.type !== 'kept') return { type: 'notKept', reason: snapshot.reason };
  const { ref, commit, changedFiles, recover } = snapshot;
  const notes = [...snapshot.notes, ...besides(snapshot)];
  return { type: 'kept', where: ref, commit, files: changedFiles, recover, notes };
}

interface Besides {
  readonly leftOut: readonly LeftOut[];
  readonly inside: readonly InnerSnapshot[];
}

/** What is not in the commit itself: repositories inside keep their own work, and what nobody keeps is named. */
function besides({ leftOut, inside }: Besides): readonly string[] {
  const inner = inside.flatMap(({ path, snapshot }) =>
    snapshot.type === 'kept'
      ? [`the repository in ${path} keeps ${snapshot.changedFiles} files itself: ${snapshot.recover}`]
      : [],
  );
  return [...leftOut.map(describeLeftOut), ...inner];
}
