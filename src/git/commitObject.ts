import { type Git, type GitEnd, outputOf } from './git.ts';
import type { GitEnvironment } from './hardening.ts';
import { answeredLine, oneLine, type WorkTree } from './workTree.ts';

/** For commits of ours, which must also work on a machine without `user.name`. */
export const OWN_IDENTITY = { name: 'stopgate', email: 'stopgate@localhost' };

/** Without an identity, the user's from git's configuration. */
export interface CommitRequest extends Pick<GitEnvironment, 'identity' | 'date'> {
  readonly folder: string;
  readonly tree: string;
  readonly parents: readonly (string | undefined)[];
  readonly message: string;
}

/** Writes a commit that nothing points to yet. */
export async function writeCommit(git: Git, { tree, parents, message, ...where }: CommitRequest): Promise<string> {
  const args = parents.flatMap((parent) => (parent === undefined ? [] : ['-p', parent]));
  return outputOf(git, {
    ...where,
    args: ['commit-tree', tree, ...args, '-F', '-'],
    input: `${message.trimEnd()}\n`,
  });
}

export interface MoveRequest {
  readonly folder: string;
  readonly ref: string;
  readonly commit: string;
  /** What the ref must point to now; undefined: the ref must not exist. */
  readonly from: string | undefined;
  readonly why: string;
}

/** Points a ref to a commit unless another process moved it meanwhile. */
export async function moveRef(git: Git, { folder, ref, commit, from = '', why }: MoveRequest): Promise<GitEnd> {
  return git.run({ folder, args: ['update-ref', '-m', why, '--no-deref', ref, commit, from], identity: OWN_IDENTITY });
}

/** What a ref of ours points to, with the message of that commit. */
export async function readRef(
  git: Git,
  folder: string,
  ref: string,
): Promise<{ readonly commit: string; readonly tree: string; readonly message: string } | undefined> {
  const format = '--format=%(refname) %(objectname) %(tree)%0a%(contents)%00';
  const records = (await oneLine(git, folder, ['for-each-ref', format, ref]))?.split('\0') ?? [];
  // git also lists refs below this name
  const found = records.map((record) => record.trimStart()).find((record) => record.startsWith(`${ref} `)) ?? '';
  const [, commit = '', tree = ''] = found.split('\n', 1)[0]?.split(' ') ?? [];
  return commit ? { commit, tree, message: found.slice(found.indexOf('\n') + 1) } : undefined;
}

/** The tree of HEAD; the empty tree before the first commit. Rejects. */
export async function headTree(git: Git, { topLevel, head }: WorkTree): Promise<string> {
  const tree = await treeOf(git, topLevel, head);
  if (tree === undefined) throw new Error(`The files of the commit ${head} in ${topLevel} could not be read`);
  return tree;
}

/** The tree of a commit, or the empty tree without one; undefined when the repository does not have the commit. Rejects. */
export async function treeOf(git: Git, folder: string, commit: string | undefined): Promise<string | undefined> {
  if (commit !== undefined) return answeredLine(git, folder, ['rev-parse', '--verify', '--quiet', `${commit}^{tree}`]);
  return outputOf(git, { folder, args: ['mktree'], input: '' });
}
