import type { Attempt, Lease, Store } from '../../store/types.ts';

/** The attempt that a lease is of; null when it is not known, or the store does not answer. */
export async function attemptOf(store: Store, { taskId, attemptId }: Lease): Promise<Attempt | null> {
  const found = await store.attempts({ taskId });
  return found.type === 'attempts' ? (found.attempts.find(({ id }) => id === attemptId) ?? null) : null;
}
