import { OWN_IDENTITY, writeCommit } from '../../../git/commitObject.ts';
import { failureOf, type Git } from '../../../git/git.ts';
import { commitOf, isAncestor } from '../../../git/landing/combineWork.ts';
import { fetchedRef } from '../../../git/remote/fetchRefs.ts';

export async function hasCommit(git: Git, folder: string, commit: string): Promise<boolean> {
  return (await commitOf(git, folder, commit)) !== undefined;
}

/** The commit of a branch or tag: the local one if it has all that was fetched, else the fetched one, which every machine has. */
export async function newestOf(git: Git, folder: string, ref: string): Promise<string | undefined> {
  const [local, fetched] = await Promise.all([ref, fetchedRef(ref)].map((name) => commitOf(git, folder, name)));
  if (local === undefined || fetched === undefined) return local ?? fetched;
  return (await isAncestor(git, folder, [fetched, local])) ? local : fetched;
}

export type MergedCommit =
  | { readonly type: 'merged'; readonly commit: string }
  | { readonly type: 'conflict'; readonly files: readonly string[] }
  | { readonly type: 'failed'; readonly reason: string };

interface MergeRequest {
  readonly folder: string;
  readonly ours: string;
  readonly theirs: string;
  readonly message: string;
}

/** A merge without a worktree. No merge driver of the repository runs. */
export async function mergeCommits(git: Git, { folder, ours, theirs, message }: MergeRequest): Promise<MergedCommit> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', ours, theirs];
  const end = await git.run({ folder, args, okCodes: [1] });
  if (end.type === 'failed') return { type: 'failed', reason: end.reason };
  const [tree = '', ...files] = end.stdout.split('\n').filter((line) => line !== '');
  if (files.length > 0) return { type: 'conflict', files: [...new Set(files)] };
  try {
    const commit = await writeCommit(git, { folder, tree, parents: [ours, theirs], message, identity: OWN_IDENTITY });
    return { type: 'merged', commit };
  } catch (error) {
    return failureOf(error);
  }
}
