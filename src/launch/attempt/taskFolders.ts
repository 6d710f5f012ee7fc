import { attemptOf } from '../../fleet/worker/heldBy.ts';
import { readRef } from '../../git/commitObject.ts';
import type { Git } from '../../git/git.ts';
import { snapshotRef } from '../../git/snapshotRef.ts';
import { treeDigest } from '../../git/treeDigest.ts';
import { findWorkTree } from '../../git/workTree.ts';
import { addWorktree, removeWorktree, worktreePlace } from '../../git/worktrees.ts';
import { worldGit } from '../../stop/worldGit.ts';
import { leaseOf } from '../../store/leaseOf.ts';
import type { AttemptDetails, Lease, Store, Worker } from '../../store/types.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import { countText, type KeptWork, keepBeside, keepOnBranch } from '../keepWork.ts';

/** The folder of a task. */
export interface TaskFolder {
  readonly path: string;
  readonly base: string | undefined;
  /** Of its own worktree; null without one. */
  readonly branch: string | null;
  /** The branch of an earlier attempt whose work it starts with. */
  readonly continuedFrom?: string;
}

type FolderWorld = Pick<World, 'processes' | 'env' | 'cwd' | 'stopgateHome'>;

/** One folder for all, or one worktree and branch per attempt, so that attempts cannot overwrite each other's work. */
export function taskFolders(world: FolderWorld, worktrees: boolean) {
  const git = worldGit(world);
  return {
    /** `earlier`: the branches of earlier attempts, newest first. A new worktree continues from the first that is in this repository. */
    async open(lease: Lease, earlier: readonly string[] = []): Promise<TaskFolder> {
      const here = await findWorkTree(git, world.cwd);
      if (!worktrees) return { path: world.cwd, base: here.type === 'workTree' ? here.head : undefined, branch: null };
      if (here.type !== 'workTree') throw new UserError(`--worktrees needs a git repository: ${here.reason}`);
      const { topLevel } = here;
      const place = worktreePlace(world.stopgateHome, topLevel, attemptName(lease));
      const branch = `sg/${lease.taskId}/${lease.epoch}`;
      const before = await firstBranch(git, topLevel, earlier);
      const added = await addWorktree(git, { folder: topLevel, ...place, branch, start: before?.commit });
      if (added.type !== 'added') throw new UserError(`--worktrees: ${added.reason}`);
      const continued = before && { continuedFrom: before.branch };
      return { path: added.path, base: added.base, branch: added.branch, ...continued };
    },
    /** Changes whenever a file changes; null when unknown. */
    async state({ path: folder }: TaskFolder): Promise<string | null> {
      const found = await treeDigest(git, { folder });
      return found.type === 'digest' ? found.digest : null;
    },
    /** Keeps uncommitted work, and returns where, and the commit that has all of it. */
    async keep(folder: TaskFolder, lease: Lease): Promise<AttemptDetails> {
      const kept = await keepWork(git, folder, lease);
      if (kept.type === 'notKept') return leaseDetails(folder);
      if (kept.type === 'nothing') {
        const found = await findWorkTree(git, folder.path);
        const head = found.type === 'workTree' ? found.head : undefined;
        return { ...leaseDetails(folder), ...(head !== undefined && { headCommit: head }) };
      }
      const isRef = kept.where.startsWith('refs/');
      return { ...leaseDetails(folder), headCommit: kept.commit, ...(isRef && { wipRef: kept.where }) };
    },
    /** Called when its agent is gone: puts the work on the attempt's branch. Returns sentences for the log. */
    async leave(folder: TaskFolder, lease: Lease, remove: boolean): Promise<readonly string[]> {
      if (folder.branch === null) return [];
      const notes = describeKept(await keepWork(git, folder, lease));
      if (!remove) return notes;
      const { path, branch, base: start } = folder;
      const request = { path, ref: snapshotRef(attemptName(lease)), message: messageOf(lease), start };
      const removed = await removeWorktree(git, request);
      if (removed.type === 'removed') return [...notes, `removed the worktree; branch ${branch} stays`];
      return [...notes, `the worktree ${path} stays: ${removed.reason}`];
    },
  };
}

async function firstBranch(git: Git, folder: string, branches: readonly string[]) {
  for (const branch of branches) {
    const found = await readRef(git, folder, `refs/heads/${branch}`);
    if (found !== undefined) return { branch, commit: found.commit };
  }
  return undefined;
}

const messageOf = ({ taskId, epoch }: Lease) => `Work on task ${taskId} that was not committed (attempt ${epoch})`;

function describeKept(kept: KeptWork): readonly string[] {
  if (kept.type === 'nothing') return [];
  if (kept.type === 'notKept') return [`uncommitted work could not be kept: ${kept.reason}`];
  const restore = kept.recover === null ? '' : `; restore it with ${kept.recover}`;
  return [`uncommitted work (${countText(kept)}) is on ${kept.where}${restore}`];
}

function keepWork(git: Git, { path, branch, base }: TaskFolder, lease: Lease): Promise<KeptWork> {
  const from = `task ${lease.taskId}, attempt ${lease.epoch}`;
  const keeping = { git, folder: path, id: attemptName(lease), message: messageOf(lease), from, began: base };
  return branch === null ? keepBeside(keeping) : keepOnBranch(keeping, { branch, allowDefaultBranch: false });
}

const attemptName = ({ taskId, epoch }: Lease) => `${taskId}-${epoch}`;

export function leaseDetails({ path, base, branch, continuedFrom }: TaskFolder): AttemptDetails {
  return {
    ...(base !== undefined && { baseCommit: base }),
    ...(branch !== null && { branch, worktree: path }),
    ...(continuedFrom !== undefined && { continuedFrom }),
  };
}

/**
 * Keeps the uncommitted work of a worker that is gone, before its task goes to another one, and records where it is, for the
 * next attempt.
 */
export async function keepLost(store: Store, worker: Worker, world: FolderWorld): Promise<void> {
  const lease = leaseOf(worker);
  if (lease === null) return;
  const attempt = await attemptOf(store, lease);
  if (attempt === null) return;
  const { worktree, branch, baseCommit } = attempt.details;
  const folder = { path: worktree ?? world.cwd, base: baseCommit, branch: branch ?? null };
  const details = await taskFolders(world, false).keep(folder, lease);
  await store.heartbeat({ workerId: worker.id, incarnation: worker.incarnation, lease, details });
}
