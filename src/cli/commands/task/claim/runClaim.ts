import { newClaimKey } from '../../../../system/ids.ts';
import { UserError } from '../../../../system/userError.ts';
import { whyNotClaimAs } from '../../../wiring/standing/ownLease.ts';
import { agentHere } from '../../../wiring/standing/refuseAgents.ts';
import { available, type ClaimOutcome, type Store, storeTime, type Task } from '../../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../../wiring/store/openTaskStore.ts';
import { knownIncarnation, type OwnWorker, ownWorker, registerOwn } from '../../../wiring/store/ownWorker.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import type { WaitingWorld } from '../../../wiring/store/taskWorld.ts';
import { findTask } from '../findTask.ts';
import { durationMs } from '../readFlags.ts';
import type { CommonOptions, Flags } from '../taskOptions.ts';
import { exitOfClaim, printClaim } from './printClaim.ts';

type ClaimOptions = CommonOptions & Flags<'worker' | 'queue' | 'task' | 'wait'> & { readonly type?: readonly string[] };

interface ClaimWish {
  readonly own: OwnWorker;
  readonly queue: string | undefined;
  readonly types: readonly string[] | undefined;
  /** Only this task. */
  readonly task: Task | undefined;
}

/** `stopgate task claim`: claims one task for the caller and prints how to settle it. */
export async function runClaim(options: ClaimOptions, world: WaitingWorld): Promise<number> {
  const { clock, signal } = world;
  const waitMs = durationMs('--wait', options.wait) ?? 0;
  const own = ownWorker(options.worker, world.env);
  const agent = agentHere(options.store, world);
  await using store = await openTaskStore(options.store, world);
  const refused = agent === null ? null : await whyNotClaimAs(agent, own, store);
  if (refused !== null) throw new UserError(refused, TASK_EXIT.refused);
  const task = options.task === undefined ? undefined : await findTask(store, options.task);
  const { queue, type: types } = options;
  const endAt = clock.now() + waitMs;
  let outcome = available(await claimOnce({ own, queue, types, task }, store));
  while (outcome.type === 'empty' && clock.now() < endAt) {
    const timeoutMs = endAt - clock.now();
    const waited = available(await store.waitForWork({ queue, types, timeoutMs, signal }));
    if (waited.type === 'aborted') return TASK_EXIT.interrupted;
    if (waited.type === 'timedOut') break;
    outcome = available(await claimOnce({ own, queue, types, task }, store));
  }
  if (options.json) world.print(`${JSON.stringify(outcome)}\n`);
  else {
    const now = await storeTime(store);
    printClaim(outcome, { world, now, worker: own.name, storeFlag: options.store !== undefined });
  }
  return exitOfClaim(outcome);
}

/** Registers the worker only when there is something to claim, so that a call that finds nothing leaves no trace. */
async function claimOnce({ own, queue, types, task }: ClaimWish, store: Store): Promise<ClaimOutcome> {
  const { id: taskId, status } = task ?? {};
  let incarnation = await knownIncarnation(store, own);
  if (incarnation === null) {
    const found = available(await store.readiness({ queue, types }));
    if (taskId === undefined && (found.ready === 0 || found.queuePaused)) return { ...found, type: 'empty' };
    if (status !== undefined && status !== 'ready') return { type: 'refused', reason: 'taskNotReady', status };
    incarnation = await registerOwn(store, own, { queue, types });
  }
  return store.claim({ workerId: own.name, incarnation, claimKey: newClaimKey(), queue, types, taskId });
}
