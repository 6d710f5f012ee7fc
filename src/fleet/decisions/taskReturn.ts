import { retryDelayMs } from '../../store/retryDelay.ts';
import type { Task } from '../../store/types.ts';

/** What an attempt that did not succeed counts as. A limit of its account counts for nothing. */
export type Counted = 'failures' | 'reclaims' | 'releases';

export interface TaskReturnFacts {
  readonly now: number;
  readonly counted: Counted | null;
  readonly task: Pick<
    Task,
    'failures' | 'maxFailures' | 'reclaims' | 'maxReclaims' | 'releases' | 'maxReleases' | 'backoffMs'
  >;
  readonly random: number;
}

export type TaskReturn =
  | { readonly type: 'requeue'; readonly runAt: number; readonly count: number | null }
  /** Once too often: a person has to look. */
  | { readonly type: 'dead'; readonly count: number };

const LIMITS = { failures: 'maxFailures', reclaims: 'maxReclaims', releases: 'maxReleases' } as const;

/**
 * What becomes of a task whose attempt ended without success; the stores do the same inside their transactions. A loss
 * counts like a failure, because a task that kills its worker would do so for ever. What is nobody's fault waits for nothing.
 */
export function decideTaskReturn({ now, counted, task, random }: TaskReturnFacts): TaskReturn {
  if (counted === null) return { type: 'requeue', runAt: now, count: null };
  const count = task[counted] + 1;
  if (count >= task[LIMITS[counted]]) return { type: 'dead', count };
  const delayMs = counted === 'releases' ? 0 : retryDelayMs(task.backoffMs, count, random);
  return { type: 'requeue', runAt: now + delayMs, count };
}
