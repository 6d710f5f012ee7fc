import type { Attempt, Store, Worker } from '../../store/types.ts';
import type { LivenessFacts } from '../decisions/liveness.ts';
import type { WorkerMemory } from './fleetMemory.ts';

/** A worker learns it from its next heartbeat, at most 20 s later, and needs a while to end its agent. */
const OBEY_MS = 60_000;

const BY_OTHERS: ReadonlySet<Attempt['state']> = new Set(['cancelled', 'lost', 'superseded']);

/**
 * The task that a worker keeps working on although it was taken away. The store only knows that the worker holds none; its
 * activity shows that it still works, and earlier ticks remember which task it was.
 */
export async function outlivedTask(
  store: Store,
  worker: Worker,
  known: WorkerMemory,
): Promise<LivenessFacts['task'] | undefined> {
  if (worker.taskId !== null && worker.attemptId !== null) {
    known.held = { taskId: worker.taskId, attemptId: worker.attemptId };
    known.outlived = undefined;
    return undefined;
  }
  if (known.held) {
    const ended = await readEnd(store, known.held);
    if (ended === 'unavailable') return undefined;
    known.outlived = ended;
    known.held = undefined;
  }
  const { outlived } = known;
  return outlived && worksOn(worker, outlived.changedAt) ? outlived : undefined;
}

async function readEnd(store: Store, { taskId, attemptId }: NonNullable<WorkerMemory['held']>) {
  const [found, attempts] = await Promise.all([store.task({ id: taskId }), store.attempts({ taskId })]);
  if (found.type === 'unavailable' || attempts.type === 'unavailable') return 'unavailable';
  const attempt = attempts.attempts.find(({ id }) => id === attemptId);
  if (found.type !== 'found' || !attempt || !BY_OTHERS.has(attempt.state)) return undefined;
  return { state: found.task.state, isItsOwn: false, changedAt: attempt.endedAt ?? found.task.updatedAt };
}

function worksOn({ activityAt, toolStartedAt }: Worker, changedAt: number): boolean {
  return activityAt > changedAt + OBEY_MS || (toolStartedAt !== null && toolStartedAt > changedAt);
}
