import type { AttemptDetails, Lease } from '../../store/types.ts';
import { addWorktree, worktreePlace } from '../../system/git/addWorktree.ts';
import { openGit } from '../../system/git/git.ts';
import { treeDigest } from '../../system/git/treeDigest.ts';
import { findWorkTree } from '../../system/git/workTree.ts';
import { keepBeside, keepOnBranch } from '../launch/keepWork.ts';
import { UserError } from '../userError.ts';
import type { World } from '../world.ts';

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
}

export type TaskWorldOfFolders = Pick<World, 'processes' | 'env' | 'cwd' | 'stopgateHome'>;

/** One folder for all, or one work tree and branch for each attempt: fencing in git, where the store cannot reach. */
export function taskFolders(world: TaskWorldOfFolders, worktrees: boolean): TaskFolders {
  const git = openGit({ processes: world.processes, env: world.env });
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
      const message = `Work on task ${lease.taskId} that was not committed (attempt ${lease.epoch})`;
      const keeping = { git, folder: folder.path, id: attemptName(lease), message };
      const kept =
        folder.branch === null
          ? await keepBeside(keeping)
          : await keepOnBranch(keeping, { branch: folder.branch, allowDefaultBranch: false });
      if (kept.type !== 'kept') return leaseDetails(folder);
      const isRef = kept.where.startsWith('refs/');
      return { ...leaseDetails(folder), headCommit: kept.commit, ...(isRef && { wipRef: kept.where }) };
    },
  };
}

const attemptName = ({ taskId, epoch }: Lease) => `${taskId}-${epoch}`;

export function leaseDetails({ path, base, branch }: TaskFolder): AttemptDetails {
  return { ...(base !== undefined && { baseCommit: base }), ...(branch !== null && { branch, worktree: path }) };
}
