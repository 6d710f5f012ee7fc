import type { Git, GitEnd } from './git.ts';
import { oneLine, type WorkTree } from './workTree.ts';

export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** For commits of ours, which must also work on a machine without `user.name`. */
export const OWN_IDENTITY: Identity = { name: 'stopgate', email: 'stopgate@localhost' };

export interface CommitRequest {
  readonly folder: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Default: the user's, from git's configuration. */
  readonly identity: Identity | undefined;
  /** Default: now. */
  readonly date?: string;
}

/** Writes a commit that nothing points to yet. */
export async function writeCommit(git: Git, request: CommitRequest): Promise<GitEnd> {
  const { folder, tree, parents, message, identity, date } = request;
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
  return git.run({ folder, args, input: `${message.trimEnd()}\n`, identity, date });
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
  const end = await git.run({ folder, args: ['for-each-ref', format, ref] });
  const records = end.type === 'done' ? end.stdout.split('\0') : [];
  // git also lists refs below this name
  const found = records.map((record) => record.trimStart()).find((record) => record.startsWith(`${ref} `)) ?? '';
  const [, commit = '', tree = ''] = found.split('\n', 1)[0]?.split(' ') ?? [];
  return commit ? { commit, tree, message: found.slice(found.indexOf('\n') + 1) } : undefined;
}

/** The tree of HEAD; the empty tree before the first commit. */
export async function headTree(git: Git, { topLevel, head }: WorkTree): Promise<string> {
  return (await treeOf(git, topLevel, head)) ?? '';
}

/** The tree of a commit, or the empty tree without one; undefined when the repository does not have the commit. */
export async function treeOf(git: Git, folder: string, commit: string | undefined): Promise<string | undefined> {
  if (commit !== undefined) return oneLine(git, folder, ['rev-parse', '--verify', '--quiet', `${commit}^{tree}`]);
  const end = await git.run({ folder, args: ['mktree'], input: '' });
  return end.type === 'done' ? end.stdout.trim() : undefined;
}
