import type { Attempt, Store, Worker } from '../../store/types.ts';
import type { LivenessFacts } from '../decisions/liveness.ts';
import type { WorkerMemory } from './fleetMemory.ts';

/** A worker is told at its next beat, at most 20 s later, and needs a while to end what it started. */
const OBEY_MS = 60_000;

const BY_OTHERS: ReadonlySet<Attempt['state']> = new Set(['cancelled', 'lost', 'superseded']);

/**
 * The task that a worker goes on working on although it was taken from it. The store only knows that it holds nothing; that
 * it works all the same shows in its activity, and which task it was is remembered from earlier looks.
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
    const ended = await howItEnded(store, known.held);
    if (ended === 'unavailable') return undefined;
    known.outlived = ended;
    known.held = undefined;
  }
  const { outlived } = known;
  return outlived && worksOn(worker, outlived.changedAt) ? outlived : undefined;
}

async function howItEnded(store: Store, { taskId, attemptId }: NonNullable<WorkerMemory['held']>) {
  const [found, attempts] = await Promise.all([store.task({ id: taskId }), store.attempts({ taskId })]);
  if (found.type === 'unavailable' || attempts.type === 'unavailable') return 'unavailable';
  const attempt = attempts.attempts.find(({ id }) => id === attemptId);
  if (found.type !== 'found' || !attempt || !BY_OTHERS.has(attempt.state)) return undefined;
  return { state: found.task.state, isItsOwn: false, changedAt: attempt.endedAt ?? found.task.updatedAt };
}

function worksOn({ activityAt, toolStartedAt }: Worker, changedAt: number): boolean {
  return activityAt > changedAt + OBEY_MS || (toolStartedAt !== null && toolStartedAt > changedAt);
}
