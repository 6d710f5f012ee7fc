import { attemptOf } from '../../fleet/worker/attemptOf.ts';
import { leaseOf } from '../../store/leaseOf.ts';
import type { Store, Worker } from '../../store/types.ts';
import { type TaskWorldOfFolders, taskFolders } from './taskFolders.ts';

/**
 * What a worker that is gone left uncommitted, kept before its task goes to another, and put on record while the attempt
 * is still its own: the next one is told where.
 */
export async function keepLost(store: Store, worker: Worker, world: TaskWorldOfFolders): Promise<void> {
  const lease = leaseOf(worker);
  if (lease === null) return;
  const attempt = await attemptOf(store, lease);
  if (attempt === null) return;
  const { worktree, branch, baseCommit } = attempt.details;
  const folder = { path: worktree ?? world.cwd, base: baseCommit, branch: branch ?? null };
  const details = await taskFolders(world, false).keep(folder, lease);
  await store.heartbeat({ workerId: worker.id, incarnation: worker.incarnation, lease, details });
}
