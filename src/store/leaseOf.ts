import type { Lease, Worker } from './types.ts';

/** What a worker holds, as the proof that settles it; null when it holds nothing. */
export function leaseOf({ id, incarnation, taskId, attemptId, epoch }: Worker): Lease | null {
  if (taskId === null || attemptId === null || epoch === null) return null;
  return { taskId, attemptId, epoch, workerId: id, incarnation };
}
