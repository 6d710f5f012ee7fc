import { type CommittedWork, commitWork } from '../../system/git/commitWork.ts';
import type { Git } from '../../system/git/git.ts';
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
  | { readonly type: 'nothing' }
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
  if (work.type === 'nothingToCommit') return { type: 'nothing' };
  if (work.type === 'snapshotInstead') {
    const kept = keptSnapshot(work.snapshot);
    return kept.type === 'kept' ? { ...kept, notes: [work.reason, ...kept.notes] } : kept;
  }
  if (work.type !== 'committed') return { type: 'notKept', reason: work.reason };
  const { branch, commit, changedFiles, notes } = work;
  return { type: 'kept', where: `branch ${branch}`, commit, files: changedFiles, recover: null, notes };
}

function keptSnapshot(snapshot: Snapshot): KeptWork {
  if (snapshot.type === 'nothingToKeep') return { type: 'nothing' };
  if (snapshot.type !== 'kept') return { type: 'notKept', reason: snapshot.reason };
  const { ref, commit, changedFiles, recover, notes } = snapshot;
  return { type: 'kept', where: ref, commit, files: changedFiles, recover, notes };
}
