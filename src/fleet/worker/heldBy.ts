import { leaseOf } from '../../store/leaseOf.ts';
import type { Attempt, Lease, Store } from '../../store/types.ts';

/** The lease that this incarnation of a worker holds now. */
export async function heldBy(store: Store, workerId: string, incarnation: number): Promise<Lease | null> {
  return (await heldAt(store, workerId, incarnation)).lease;
}

/** With the worker, and the store's time, which deadlines use; all null when the store does not answer. */
export async function heldAt(store: Store, workerId: string, incarnation: number) {
  const listed = await store.workers({ workerId });
  if (listed.type !== 'workers') return { worker: null, lease: null, now: null };
  const worker = listed.workers.find((one) => one.incarnation === incarnation) ?? null;
  return { worker, lease: worker && leaseOf(worker), now: listed.now };
}

/** Null when the attempt is unknown, or the store does not answer. */
export async function attemptOf(store: Store, { taskId, attemptId }: Lease): Promise<Attempt | null> {
  const found = await store.attempts({ taskId });
  return found.type === 'attempts' ? (found.attempts.find(({ id }) => id === attemptId) ?? null) : null;
}

/** A task with its attempts, and the branches of the earlier ones, newest first. */
export async function historyOf(store: Store, { taskId, attemptId, epoch }: Lease) {
  const [found, asked] = await Promise.all([store.attempts({ taskId }), store.task({ id: taskId })]);
  const attempts = found.type === 'attempts' ? found.attempts : [];
  const earlier = attempts.filter((one) => one.epoch < epoch).toReversed();
  return {
    task: asked.type === 'found' ? asked.task : null,
    attempts,
    attempt: attempts.find(({ id }) => id === attemptId) ?? null,
    earlierBranches: earlier.flatMap(({ details: { branch } }) => (branch === undefined ? [] : [branch])),
  };
}
