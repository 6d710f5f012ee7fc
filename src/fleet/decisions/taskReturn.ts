import { retryDelayMs } from '../../store/retryDelay.ts';
import type { Task } from '../../store/types.ts';

/** The counter that an unsuccessful attempt increases. A limit of its account increases none. */
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
  /** The limit is reached: a person has to act. */
  | { readonly type: 'dead'; readonly count: number };

const LIMITS = { failures: 'maxFailures', reclaims: 'maxReclaims', releases: 'maxReleases' } as const;

/**
 * The next state of a task after an unsuccessful attempt; the stores do the same inside their transactions. A loss counts like a
 * failure, because a task that kills its worker would do so forever. An end without fault has no delay.
 */
export function decideTaskReturn({ now, counted, task, random }: TaskReturnFacts): TaskReturn {
  if (counted === null) return { type: 'requeue', runAt: now, count: null };
  const count = task[counted] + 1;
  if (count >= task[LIMITS[counted]]) return { type: 'dead', count };
  const delayMs = counted === 'releases' ? 0 : retryDelayMs(task.backoffMs, count, random);
  return { type: 'requeue', runAt: now + delayMs, count };
}
