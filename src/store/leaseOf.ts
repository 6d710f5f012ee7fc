import type { Attempt, Lease, Worker } from './types.ts';

/** What a worker holds, as the proof that settles it; null when it holds nothing. */
export function leaseOf({ id, incarnation, taskId, attemptId, epoch }: Worker): Lease | null {
  if (taskId === null || attemptId === null || epoch === null) return null;
  return { taskId, attemptId, epoch, workerId: id, incarnation };
}

/** The proof of one attempt, whether it still holds the task or not. */
export function leaseOfAttempt({ taskId, id, epoch, workerId, incarnation }: Attempt): Lease {
  return { taskId, attemptId: id, epoch, workerId, incarnation };
}
