import { isOver } from '../../../../fleet/decisions/liveness.ts';
import { keepLost } from '../../../../launch/attempt/taskFolders.ts';
import type { Store } from '../../../../store/types.ts';
import type { World } from '../../../../system/world.ts';

/**
 * Takes back the task of a slot that failed, with its work kept. Other processes cannot see that it failed: the process of its
 * worker still runs.
 */
export async function giveBackLost(store: Store, workerId: string, world: World): Promise<void> {
  const listed = await store.workers({ workerId });
  const worker = listed.type === 'workers' ? listed.workers.find(({ pid }) => pid === process.pid) : undefined;
  if (worker === undefined || isOver(worker)) return;
  await keepLost(store, worker, world);
  const { incarnation } = worker;
  const reason = 'crashed';
  await store.reap({ workerId, incarnation, evidence: 'exited', staleAfterMs: 0, graceMs: 0, reason });
}
