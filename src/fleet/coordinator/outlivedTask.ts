import type { Attempt, Store, Worker } from '../../store/types.ts';
import type { WorkerMemory } from './fleetMemory.ts';

/** A worker learns it from its next heartbeat, at most 20 s later, and needs a while to end its agent. */
const OBEY_MS = 60_000;

const BY_OTHERS: ReadonlySet<Attempt['state']> = new Set(['cancelled', 'lost', 'superseded']);

/**
 * When the task was taken away that a worker keeps working on. The store only knows that the worker holds none; its activity
 * shows that it still works, and earlier ticks remember which task it was.
 */
export async function outlivedTask(store: Store, worker: Worker, known: WorkerMemory): Promise<number | undefined> {
  const { taskId, attemptId, activityAt, toolStartedAt } = worker;
  if (taskId !== null && attemptId !== null) {
    known.held = { taskId, attemptId };
    known.claimEndedAt = undefined;
    return undefined;
  }
  const { held } = known;
  if (held) {
    const found = await store.attempts({ taskId: held.taskId });
    if (found.type === 'unavailable') return undefined;
    const attempt = found.attempts.find(({ id }) => id === held.attemptId);
    known.claimEndedAt = attempt && BY_OTHERS.has(attempt.state) ? (attempt.endedAt ?? undefined) : undefined;
    known.held = undefined;
  }
  const { claimEndedAt: endedAt } = known;
  if (endedAt === undefined) return undefined;
  return activityAt > endedAt + OBEY_MS || (toolStartedAt !== null && toolStartedAt > endedAt) ? endedAt : undefined;
}
