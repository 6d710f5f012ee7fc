import { UserError } from '../../../../system/userError.ts';
import { whyNotClaimAs } from '../../../wiring/standing/ownLease.ts';
import { agentHere } from '../../../wiring/standing/refuseAgents.ts';
import { available, storeTime } from '../../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../../wiring/store/openTaskStore.ts';
import { ownWorker } from '../../../wiring/store/ownWorker.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { findTask } from '../findTask.ts';
import { durationMs } from '../readFlags.ts';
import { claimTask } from './claimTask.ts';
import { exitOfClaim, tellClaim } from './tellClaim.ts';

export interface ClaimOptions {
  readonly worker?: string;
  readonly type?: readonly string[];
  readonly queue?: string;
  readonly task?: string;
  readonly wait?: string;
  readonly json?: true;
  readonly store?: string;
}

/** `stopgate task claim`: takes one task for whoever calls, and says how to settle it. */
export async function runClaim(options: ClaimOptions, world: TaskWorld, signal: AbortSignal): Promise<number> {
  const waitMs = options.wait === undefined ? 0 : durationMs('--wait', options.wait);
  const own = ownWorker(options.worker, world.env);
  const agent = agentHere(options.store, world);
  await using store = await openTaskStore(options.store, world);
  const refused = agent === null ? null : await whyNotClaimAs(agent, own, store);
  if (refused !== null) throw new UserError(refused, TASK_EXIT.refused);
  const task = options.task === undefined ? undefined : await findTask(store, options.task);
  const wish = { own, queue: options.queue, types: options.type, task, waitMs };
  const end = await claimTask(wish, { store, now: () => world.clock.now(), signal });
  if (end.type === 'interrupted') return TASK_EXIT.interrupted;
  const outcome = available(end);
  if (options.json) world.say(`${JSON.stringify(outcome)}\n`);
  else {
    const now = await storeTime(store);
    tellClaim(outcome, { world, now, worker: own.name, storeFlag: options.store !== undefined });
  }
  return exitOfClaim(outcome);
}
