import type { StoreEvent } from '../../store/types.ts';

type Facts = Record<string, string | number | boolean | null>;

/** What events alone tell: the state of tasks, attempts and workers. */
export interface Replayed {
  readonly tasks: ReadonlyMap<string, Facts>;
  readonly attempts: ReadonlyMap<string, Facts>;
  readonly workers: ReadonlyMap<string, Facts>;
}

const TASK_FACTS = ['state', 'runAt', 'unmetDependencies', 'holdReason', 'failures', 'reclaims', 'releases'];
const WORKER_FACTS = ['state', 'incarnation', 'suspectAt', 'stopBlocks'];
const NEW_TASK: Facts = { epoch: 0, attemptId: null, failures: 0, reclaims: 0, releases: 0 };

/** Builds the changing part of the tables from the feed: if a change was not told, or told twice, they differ. */
export function replayEvents(events: readonly StoreEvent[]): Replayed {
  const tasks = new Map<string, Facts>();
  const attempts = new Map<string, Facts>();
  const workers = new Map<string, Facts>();
  for (const { kind, taskId, attemptId, workerId, epoch, data } of events) {
    if (taskId !== null) {
      const claim = kind === 'task.claimed' || kind === 'task.offered' ? { epoch, attemptId } : {};
      tasks.set(taskId, { ...NEW_TASK, ...tasks.get(taskId), ...pick(data, TASK_FACTS), ...claim });
    }
    if (attemptId !== null && data.attemptState !== undefined) attempts.set(attemptId, { state: data.attemptState });
    if (kind.startsWith('worker.') && workerId !== null) {
      const fresh = data.incarnation !== undefined && workers.get(workerId)?.incarnation !== data.incarnation;
      const before = fresh ? { stopBlocks: 0, suspectAt: null } : workers.get(workerId);
      workers.set(workerId, { ...before, ...pick(data, WORKER_FACTS) });
    }
  }
  return { tasks, attempts, workers };
}

function pick(data: StoreEvent['data'], names: readonly string[]): Facts {
  return Object.fromEntries(names.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])));
}
