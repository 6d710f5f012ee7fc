import { OWN_IDENTITY, writeCommit } from '../../../git/commitObject.ts';
import { failureOf, type Git } from '../../../git/git.ts';
import { fetchedRef } from '../../../git/remote/fetchRefs.ts';
import { oneLine } from '../../../git/workTree.ts';

/** The commit that a full name of a ref, or an id, stands for. */
export const commitOf = (git: Git, folder: string, name: string): Promise<string | undefined> =>
  oneLine(git, folder, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]);

export async function hasCommit(git: Git, folder: string, commit: string): Promise<boolean> {
  return (await git.run({ folder, args: ['cat-file', '-e', `${commit}^{commit}`] })).type === 'done';
}

/** Whether everything of `older` is in `newer`. */
export async function isIn(git: Git, folder: string, older: string, newer: string): Promise<boolean> {
  if (older === newer) return true;
  const end = await git.run({ folder, args: ['merge-base', '--is-ancestor', older, newer] });
  return end.type === 'done';
}

/** The commit of a branch or tag: the local one if it has all that was fetched, else the fetched one, which every machine has. */
export async function newestOf(git: Git, folder: string, ref: string): Promise<string | undefined> {
  const [local, fetched] = await Promise.all([ref, fetchedRef(ref)].map((name) => commitOf(git, folder, name)));
  if (local === undefined || fetched === undefined) return local ?? fetched;
  return (await isIn(git, folder, fetched, local)) ? local : fetched;
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
