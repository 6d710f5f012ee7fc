import type { Git } from '../../git/git.ts';
import { snapshotRef } from '../../git/snapshotRef.ts';
import { treeDigest } from '../../git/treeDigest.ts';
import { findWorkTree } from '../../git/workTree.ts';
import { addWorktree, removeWorktree, worktreePlace } from '../../git/worktrees.ts';
import { worldGit } from '../../stop/worldGit.ts';
import type { AttemptDetails, Lease } from '../../store/types.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import { countText, type KeptWork, keepBeside, keepOnBranch } from '../keepWork.ts';

/** Where a task is worked on. */
export interface TaskFolder {
  readonly path: string;
  readonly base: string | undefined;
  /** Of a work tree of its own. */
  readonly branch: string | null;
}

export interface TaskFolders {
  open(lease: Lease): Promise<TaskFolder>;
  /** Another one whenever something in it changes; null when that cannot be told. */
  state(folder: TaskFolder): Promise<string | null>;
  /** Keeps what is not committed, and says where. */
  keep(folder: TaskFolder, lease: Lease): Promise<AttemptDetails>;
  /** When its agent is gone. Of an attempt with a branch of its own, the branch has the work then; what there is to say of it. */
  leave(folder: TaskFolder, lease: Lease, way: { readonly remove: boolean }): Promise<readonly string[]>;
}

export type TaskWorldOfFolders = Pick<World, 'processes' | 'env' | 'cwd' | 'stopgateHome'>;

/** One folder for all, or one work tree and branch for each attempt: fencing in git, where the store cannot reach. */
export function taskFolders(world: TaskWorldOfFolders, worktrees: boolean): TaskFolders {
  const git = worldGit(world);
  return {
    async open(lease) {
      const here = await findWorkTree(git, world.cwd);
      if (!worktrees) return { path: world.cwd, base: here.type === 'workTree' ? here.head : undefined, branch: null };
      if (here.type !== 'workTree') throw new UserError(`--worktrees needs a git repository: ${here.reason}`);
      const id = attemptName(lease);
      const place = {
        ...worktreePlace({ home: world.stopgateHome, topLevel: here.topLevel, id }),
        branch: `sg/${lease.taskId}/${lease.epoch}`,
      };
      const added = await addWorktree(git, { folder: here.topLevel, ...place });
      if (added.type !== 'added') throw new UserError(`--worktrees: ${added.reason}`);
      return { path: added.path, base: added.base, branch: added.branch };
    },
    async state({ path: folder }) {
      const found = await treeDigest(git, { folder });
      return found.type === 'digest' ? found.digest : null;
    },
    async keep(folder, lease) {
      const kept = await keepWork(git, folder, lease);
      if (kept.type !== 'kept') return leaseDetails(folder);
      const isRef = kept.where.startsWith('refs/');
      return { ...leaseDetails(folder), headCommit: kept.commit, ...(isRef && { wipRef: kept.where }) };
    },
    async leave(folder, lease, { remove }) {
      if (folder.branch === null) return [];
      const kept = await keepWork(git, folder, lease);
      const told = keptInWords(kept);
      if (!remove) return told;
      const { path, branch } = folder;
      const start = folder.base;
      const request = { path, ref: snapshotRef(attemptName(lease)), message: messageOf(lease), start };
      const removed = await removeWorktree(git, request);
      if (removed.type === 'removed') return [...told, `the work tree is removed; branch ${branch} stays`];
      return [...told, `the work tree ${path} stays: ${removed.reason}`];
    },
  };
}

const messageOf = ({ taskId, epoch }: Lease) => `Work on task ${taskId} that was not committed (attempt ${epoch})`;

function keptInWords(kept: KeptWork): readonly string[] {
  if (kept.type === 'nothing') return [];
  if (kept.type === 'notKept') return [`what was not committed could not be kept: ${kept.reason}`];
  const restore = kept.recover === null ? '' : `; ${kept.recover} brings it back`;
  return [`what was not committed (${countText(kept)}) is on ${kept.where}${restore}`];
}

function keepWork(git: Git, { path, branch, base }: TaskFolder, lease: Lease): Promise<KeptWork> {
  const from = `task ${lease.taskId}, attempt ${lease.epoch}`;
  const keeping = { git, folder: path, id: attemptName(lease), message: messageOf(lease), from, began: base };
  return branch === null ? keepBeside(keeping) : keepOnBranch(keeping, { branch, allowDefaultBranch: false });
}

const attemptName = ({ taskId, epoch }: Lease) => `${taskId}-${epoch}`;

export function leaseDetails({ path, base, branch }: TaskFolder): AttemptDetails {
  return { ...(base !== undefined && { baseCommit: base }), ...(branch !== null && { branch, worktree: path }) };
}
