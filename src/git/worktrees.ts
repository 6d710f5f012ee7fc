import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { failureOf, type Git, outputOf } from './git.ts';
import { TRUE_PARENTS } from './hardening.ts';
import { describeLeftOut } from './leftOut.ts';
import { plainName } from './snapshotRef.ts';
import { type Snapshot, type SnapshotRequest, snapshotWorkTree } from './snapshotWorkTree.ts';
import { exists, findWorkTree, type NoWorkTree, oneLine, type WorkTree } from './workTree.ts';

export interface WorktreeRequest {
  /** Any folder of the repository. */
  readonly folder: string;
  /** Where the new worktree goes; must not exist. From `worktreePlace`. */
  readonly path: string;
  /** A branch that must not exist yet. */
  readonly branch: string;
  /** The commit that it starts from; default: HEAD. */
  readonly start?: string | undefined;
}

export type AddedWorktree =
  | { readonly type: 'added'; readonly path: string; readonly branch: string; readonly base: string }
  | NoWorkTree;

/** The path and the branch of a worktree of our own, by the repository's name and an id. */
export function worktreePlace(home: string, topLevel: string, id: string): Pick<WorktreeRequest, 'path' | 'branch'> {
  const plain = (text: string) => plainName(text).replace(/[.-]+$/, '');
  const name = plain(id) || 'unnamed';
  const repository = plain(basename(topLevel)) || 'repository';
  return { path: join(home, 'worktrees', `${repository}-${name}`), branch: `sg/${name}` };
}

/** A worktree with a new branch. Uncommitted changes stay where they are; submodules are left empty. */
export async function addWorktree(git: Git, request: WorktreeRequest): Promise<AddedWorktree> {
  const { folder, path, branch, start } = request;
  const workTree = await findWorkTree(git, folder);
  if (workTree.type !== 'workTree') return workTree;
  const { head, topLevel } = workTree;
  const base = start ?? head;
  if (base === undefined) {
    return { type: 'failed', reason: `${topLevel} has no commit yet that a worktree could start from.` };
  }
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const args = ['worktree', 'add', '--quiet', '-b', branch, '--', path, base];
    // a partial clone has to fetch what it checks out
    await oneAtATime(topLevel, () => outputOf(git, { folder: topLevel, args, mayFetch: true }));
    return { type: 'added', path, branch, base };
  } catch (error) {
    return failureOf(error);
  }
}

const adding = new Map<string, Promise<unknown>>();

/** The slots of a process may begin together, and git refuses one of two that lock the same files of a repository. */
async function oneAtATime<Result>(topLevel: string, add: () => Promise<Result>): Promise<Result> {
  const before = adding.get(topLevel) ?? Promise.resolve();
  const added = before.then(add, add);
  adding.set(topLevel, added);
  try {
    return await added;
  } finally {
    if (adding.get(topLevel) === added) adding.delete(topLevel);
  }
}

/** Uncommitted work is kept at `ref` before. */
export interface RemovalRequest extends Pick<SnapshotRequest, 'ref' | 'message' | 'start'> {
  /** The worktree to remove, which must be a linked one. */
  readonly path: string;
  /** Where it is moved first, so that one whose removal was cut short is not taken for a whole one. */
  readonly aside?: string | undefined;
}

export type RemovedWorktree =
  /** Its branch stays. `kept` is set when it had uncommitted work. */
  | { readonly type: 'removed'; readonly kept: Extract<Snapshot, { type: 'kept' }> | undefined }
  /** Not removed, because something in it would be lost. */
  | { readonly type: 'stays'; readonly reason: string }
  | { readonly type: 'failed'; readonly reason: string };

/** Removes a worktree when everything in it except ignored files is kept elsewhere; otherwise it stays. */
export async function removeWorktree(
  git: Git,
  { path, ref, message, start, aside }: RemovalRequest,
): Promise<RemovedWorktree> {
  const workTree = await findWorkTree(git, path);
  if (workTree.type !== 'workTree') return { type: 'failed', reason: workTree.reason };
  const reason = await whyItStays(git, workTree, path);
  if (reason) return { type: 'stays', reason };
  const snapshot = await snapshotWorkTree(git, { folder: path, ref, message, start, mustBeTopLevel: true });
  if (snapshot.type === 'failed' || snapshot.type === 'notARepository')
    return { type: 'failed', reason: snapshot.reason };
  const missing = snapshot.leftOut.find(({ isEmpty }) => !isEmpty);
  if (missing)
    return { type: 'stays', reason: `${path} has what no snapshot could keep: ${describeLeftOut(missing)}.` };
  // run from the repository, because this folder is removed
  const common = await oneLine(git, path, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  const change = (...args: string[]) =>
    git.run({ folder: common ?? path, args: ['--git-dir', common ?? '', 'worktree', ...args] });
  // git moves none that has links to other repositories in it, but removes it
  const isMoved = aside !== undefined && (await change('move', '--', workTree.topLevel, aside)).type === 'done';
  const removed = await change('remove', '--force', '--', isMoved ? aside : workTree.topLevel);
  if (removed.type === 'failed') return { type: 'failed', reason: removed.reason };
  return { type: 'removed', kept: snapshot.type === 'kept' ? snapshot : undefined };
}

/** What `removeWorktree` refuses before it looks at files. */
export async function whyItStays(git: Git, { gitDir, branch, head, topLevel }: WorkTree, path: string) {
  if (!/[\\/]worktrees[\\/][^\\/]+$/.test(gitDir)) return `${path} is not a worktree that was added to a repository.`;
  // their commits and refs are in this worktree's own git folder
  if (await exists(join(gitDir, 'modules'))) return `${path} has submodules, whose commits would be gone with it.`;
  if (branch !== undefined || head === undefined) return undefined;
  const args = ['for-each-ref', '--count=1', '--format=%(refname)', '--contains', head];
  const holder = await outputOf(git, { folder: topLevel, args, settings: TRUE_PARENTS }).catch(() => '');
  return holder === '' ? `${path} has commits that no branch has; HEAD is detached at ${head}.` : undefined;
}
