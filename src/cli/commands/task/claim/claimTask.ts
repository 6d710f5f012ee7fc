import { newClaimKey } from '../../../../system/ids.ts';
import { available, type ClaimOutcome, type Store, type Task } from '../../../wiring/store/openedStore.ts';
import { knownIncarnation, type OwnWorker, registerOwn } from '../../../wiring/store/ownWorker.ts';

export interface ClaimWish {
  readonly own: OwnWorker;
  readonly queue?: string | undefined;
  readonly types?: readonly string[] | undefined;
  /** Only this task. */
  readonly task?: Pick<Task, 'id' | 'status'> | undefined;
  /** 0 does not wait. */
  readonly waitMs: number;
}

export interface ClaimEffects {
  readonly store: Store;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

export type ClaimEnd = ClaimOutcome | { readonly type: 'interrupted' };

/** Claims a task, waiting up to `waitMs` for one. */
export async function claimTask(wish: ClaimWish, { store, now, signal }: ClaimEffects): Promise<ClaimEnd> {
  const endAt = now() + wish.waitMs;
  for (;;) {
    const outcome = await claimOnce(wish, store);
    const leftMs = endAt - now();
    if (outcome.type !== 'empty' || leftMs <= 0) return outcome;
    const { queue, types } = wish;
    const waited = available(await store.waitForWork({ queue, types, timeoutMs: leftMs, signal }));
    if (waited.type === 'aborted') return { type: 'interrupted' };
    if (waited.type === 'timedOut') return outcome;
  }
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
