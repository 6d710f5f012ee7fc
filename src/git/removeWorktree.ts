import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git.ts';
import { describeLeftOut } from './leftOut.ts';
import { type Snapshot, snapshotWorkTree } from './snapshotWorkTree.ts';
import { findWorkTree, oneLine, type WorkTree } from './workTree.ts';

export interface RemovalRequest {
  /** The worktree to remove, which must be a linked one. */
  readonly path: string;
  /** Where what is not committed is kept before. */
  readonly ref: string;
  readonly message: string;
  /** What the files were when the work began; see `SnapshotRequest`. */
  readonly start?: string | undefined;
}

export type RemovedWorktree =
  /** Its branch stays. `kept` is there when it had uncommitted work. */
  | { readonly type: 'removed'; readonly kept: Extract<Snapshot, { type: 'kept' }> | undefined }
  /** It has something that would be gone with it, so it is still there. */
  | { readonly type: 'stays'; readonly reason: string }
  | { readonly type: 'failed'; readonly reason: string };

/** Removes a worktree once everything in it but ignored files is kept elsewhere; if not, it stays. */
export async function removeWorktree(
  git: Git,
  { path, ref, message, start }: RemovalRequest,
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
  // run from where the repository is: the folder of the command itself is removed
  const common = await oneLine(git, path, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  const args = ['--git-dir', common ?? '', 'worktree', 'remove', '--force', '--', workTree.topLevel];
  const removed = await git.run({ folder: common ?? path, args });
  if (removed.type === 'failed') return { type: 'failed', reason: removed.reason };
  return { type: 'removed', kept: snapshot.type === 'kept' ? snapshot : undefined };
}

async function whyItStays(git: Git, { gitDir, branch, head, topLevel }: WorkTree, path: string) {
  if (!/[\\/]worktrees[\\/][^\\/]+$/.test(gitDir)) return `${path} is not a worktree that was added to a repository.`;
  // their commits and refs are in this worktree's own folder and would go with it
  if (await isThere(join(gitDir, 'modules'))) return `${path} has submodules, whose commits would be gone with it.`;
  if (branch !== undefined || head === undefined) return undefined;
  const holder = await oneLine(git, topLevel, ['for-each-ref', '--count=1', '--format=%(refname)', '--contains', head]);
  return holder === undefined ? `${path} has commits that no branch has; HEAD is detached at ${head}.` : undefined;
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
