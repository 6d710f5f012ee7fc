import type { Attempt, Lease, Worker } from './types.ts';

/** The lease of the task that a worker holds; null when it holds none. */
export function leaseOf({ id, incarnation, taskId, attemptId, epoch }: Worker): Lease | null {
  if (taskId === null || attemptId === null || epoch === null) return null;
  return { taskId, attemptId, epoch, workerId: id, incarnation };
}

/** The lease of an attempt, whether it still holds the task or not. */
export function leaseOfAttempt({ taskId, id, epoch, workerId, incarnation }: Attempt): Lease {
  return { taskId, attemptId: id, epoch, workerId, incarnation };
}
