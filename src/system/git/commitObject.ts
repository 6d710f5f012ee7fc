import type { Git, GitEnd } from './git.ts';
import { oneLine, type WorkTree } from './workTree.ts';

/** Of no files, in both kinds of repository. */
const EMPTY_TREES = [
  '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
];

export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** Given with each commit, so that a machine without `user.name` keeps work too; and so that nobody is put words in. */
export const OWN_IDENTITY: Identity = { name: 'stopgate', email: 'stopgate@localhost' };

export interface CommitRequest {
  readonly folder: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** The user's own, from git's configuration, when not given. */
  readonly identity: Identity | undefined;
}

/** Writes a commit that nothing points to yet. */
export async function writeCommit(git: Git, request: CommitRequest): Promise<GitEnd> {
  const { folder, tree, parents, message, identity } = request;
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
  return git.run({ folder, args, input: `${message.trimEnd()}\n`, identity });
}

export interface MoveRequest {
  readonly folder: string;
  readonly ref: string;
  readonly commit: string;
  /** What must be there now; undefined: nothing. */
  readonly from: string | undefined;
  readonly why: string;
}

/** Points a ref to a commit unless somebody else moved it in between. */
export async function moveRef(git: Git, { folder, ref, commit, from = '', why }: MoveRequest): Promise<GitEnd> {
  return git.run({ folder, args: ['update-ref', '-m', why, '--no-deref', ref, commit, from], identity: OWN_IDENTITY });
}

export async function readRef(
  git: Git,
  folder: string,
  ref: string,
): Promise<{ readonly commit: string; readonly tree: string } | undefined> {
  const format = '--format=%(refname) %(objectname) %(tree)';
  const end = await git.run({ folder, args: ['for-each-ref', format, ref] });
  const lines = end.type === 'done' ? end.stdout.split('\n') : [];
  // a ref is also listed when its name is a folder of what was asked for
  const [, commit = '', tree = ''] = lines.find((line) => line.startsWith(`${ref} `))?.split(' ') ?? [];
  return commit ? { commit, tree } : undefined;
}

/** Whether a tree is what HEAD has already. */
export async function isCommitted(git: Git, { topLevel, head }: WorkTree, tree: string): Promise<boolean> {
  if (head === undefined) return EMPTY_TREES.includes(tree);
  return (await oneLine(git, topLevel, ['rev-parse', '--verify', '--quiet', `${head}^{tree}`])) === tree;
}
