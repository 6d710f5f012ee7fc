import { DEFAULT_QUEUE } from '../../store/taskDefaults.ts';
import type { Outcome, ReviewLimit, Store } from '../../store/types.ts';
import type { Clock } from '../../system/clock.ts';

/** A person decides in minutes. */
const LOOK_MS = 2_000;

/**
 * A store whose queues look paused while as much of their work waits for review as a person allowed. Only for who asks for any task: a
 * named one is claimed.
 */
export function reviewLimitedStore(store: Store, clock: Clock, report: (sentence: string) => void): Store {
  const reported = new Set<string>();
  const isFull = async (queue: string) => {
    const found = await store.reviewLimits({ queue });
    const [limit] = found.type === 'reviewLimits' ? found.limits : [];
    const full = limit !== undefined && limit.waiting >= limit.limit;
    if (full && !reported.has(queue)) report(describeFull(limit));
    if (full) reported.add(queue);
    else if (reported.delete(queue)) report(`queue ${queue}: fewer attempts wait for review; tasks are claimed again`);
    return full;
  };
  const readiness: Store['readiness'] = async (request = {}) => {
    const found = await store.readiness(request);
    if (found.type !== 'readiness' || found.ready === 0) return found;
    if (!(await isFull(request.queue ?? DEFAULT_QUEUE))) return found;
    return { ...found, ready: 0, queuePaused: true };
  };
  return {
    ...store,
    readiness,
    claim: async (request): Promise<Outcome<'claim'>> => {
      const { queue = DEFAULT_QUEUE, taskId, types } = request;
      if (taskId !== undefined || !(await isFull(queue))) return store.claim(request);
      const found = await readiness({ queue, ...(types && { types }) });
      return found.type === 'readiness' ? { ...found, type: 'empty' } : found;
    },
    waitForWork: async (request) => {
      if (!(await isFull(request.queue ?? DEFAULT_QUEUE))) return store.waitForWork(request);
      await clock.sleep(Math.min(LOOK_MS, request.timeoutMs), request.signal);
      return { type: request.signal?.aborted ? 'aborted' : 'timedOut' };
    },
  };
}

export const describeFull = (full: ReviewLimit): string => `queue ${full.queue}: ${whyFull(full)}`;

/** Where the queue is known. */
export const whyFull = ({ limit, waiting }: ReviewLimit): string =>
  `${waiting} ${waiting === 1 ? 'attempt waits' : 'attempts wait'} for review, and the limit is ${limit}; no task is claimed until a person decides (stopgate review)`;
