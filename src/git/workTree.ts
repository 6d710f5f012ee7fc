import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { failureOf, type Git, GitError, type GitFailure } from './git.ts';

/** The worktree that a folder is in. */
export interface WorkTree {
  readonly type: 'workTree';
  readonly topLevel: string;
  /** With this worktree's own HEAD and index; a linked worktree has its own folder. */
  readonly gitDir: string;
  /** The commit of HEAD; none in a repository without commits. */
  readonly head: string | undefined;
  /** The short name of the branch; none when HEAD is detached. */
  readonly branch: string | undefined;
}

export type NoWorkTree =
  | { readonly type: 'notARepository'; readonly reason: string }
  | { readonly type: 'failed'; readonly reason: string };

/** A folder's worktree, or why it is in none. */
export type FoundWorkTree = WorkTree | NoWorkTree;

export async function findWorkTree(git: Git, folder: string): Promise<FoundWorkTree> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined || !(await stat(real)).isDirectory()) {
    return { type: 'failed', reason: `There is no folder ${folder}.` };
  }
  // the path comes last, because it alone may have newlines in it
  const args = ['rev-parse', ...WHERE, 'HEAD^{commit}', '--abbrev-ref=loose', 'HEAD', '--absolute-git-dir'];
  const usual = await git.run({ folder: real, args });
  const [, upwards, head, branch, gitDir] = (usual.type === 'done' && USUAL.exec(usual.stdout)) || [];
  if (upwards === undefined || gitDir === undefined) return findWithoutCommit(git, real).catch(failureOf);
  const isDetached = branch === 'HEAD';
  return {
    ...{ type: 'workTree', topLevel: resolve(real, upwards), gitDir, head },
    branch: isDetached ? undefined : branch,
  };
}

const WHERE = ['--is-inside-work-tree', '--show-cdup'];
const USUAL = /^true\n([^\n]*)\n([0-9a-f]+)\n([^\n]+)\n(.*)\n$/s;

/** For what one command cannot answer: no commit yet, no worktree, no repository. Rejects. */
async function findWithoutCommit(git: Git, folder: string): Promise<WorkTree | NoWorkTree> {
  const [found, head, branch] = await Promise.all([
    git.run({ folder, args: ['rev-parse', ...WHERE, '--absolute-git-dir'] }),
    answeredLine(git, folder, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']),
    oneLine(git, folder, ['symbolic-ref', '--quiet', '--short', 'HEAD']),
  ]);
  if (found.type === 'failed') return notFound(folder, found);
  const [, isInside, upwards = '', gitDir = ''] = /^([^\n]*)\n([^\n]*)\n(.*)\n$/s.exec(found.stdout) ?? [];
  if (isInside !== 'true') return { type: 'notARepository', reason: `${folder} is not in a git worktree.` };
  return { type: 'workTree', topLevel: resolve(folder, upwards), gitDir, head, branch };
}

function notFound(folder: string, { reason, stderr }: GitFailure): NoWorkTree {
  if (/must be run in a work\stree|cannot use bare repository/i.test(stderr)) {
    return { type: 'notARepository', reason: `${folder} is a bare repository, which has no worktree.` };
  }
  if (!/not a git repository/i.test(stderr)) return { type: 'failed', reason };
  return { type: 'notARepository', reason: `${folder} is not in a git repository.` };
}

/** The one line that a command prints; undefined when it fails or prints nothing. */
export async function oneLine(git: Git, folder: string, args: readonly string[]): Promise<string | undefined> {
  return answeredLine(git, folder, args).catch(() => undefined);
}

/**
 * As `oneLine`, where "there is none" decides what is kept: rejects when git did not answer (it was stopped after its time, or could not
 * be started), which says nothing about the repository.
 */
export async function answeredLine(git: Git, folder: string, args: readonly string[]): Promise<string | undefined> {
  const end = await git.run({ folder, args });
  if (end.type === 'failed' && end.exitCode === undefined) throw new GitError(end);
  return (end.type === 'done' && end.stdout.trim()) || undefined;
}

/** Operations in progress, by the files git keeps for them; a commit now would become part of one. */
const OPERATIONS = {
  MERGE_HEAD: 'a merge',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  BISECT_LOG: 'a bisection',
};

export async function operationUnderWay({ gitDir }: WorkTree): Promise<string | undefined> {
  for (const [name, operation] of Object.entries(OPERATIONS)) if (await exists(join(gitDir, name))) return operation;
  return undefined;
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** Where a repository keeps its objects, absolute. */
export async function objectStore(git: Git, folder: string): Promise<string> {
  return resolve(folder, (await oneLine(git, folder, ['rev-parse', '--git-path', 'objects'])) ?? '.git/objects');
}
