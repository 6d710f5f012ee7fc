import type { Attempt, Lease, Store } from '../../store/types.ts';
import { formatSeconds } from '../../system/formatDuration.ts';
import { decideTimeOver, type TimeOver, type TreeState } from '../decisions/timeOver.ts';
import { attemptOf } from './heldBy.ts';

export interface DeadlineWorld {
  readonly store: Store;
  readonly treeState: () => Promise<TreeState>;
  readonly tell: (sentence: string) => void;
}

/** What becomes of a task whose time is over, once its agent is gone. */
export type TimedOut = Exclude<TimeOver['type'], 'extend'>;

/**
 * The time that a task has, as its supervisor keeps it. How the tree stood is noted when a task is first seen; when its time is over
 * and the tree has changed since, it gets more, once. Says what becomes of the task when its agent must be ended, else null.
 */
export function watchDeadline(world: DeadlineWorld): (seen: {
  readonly lease: Lease | null;
  /** Null when the task has no deadline. */
  readonly leftMs: number | null;
}) => Promise<TimedOut | null> {
  let attemptId: string | undefined;
  let before: TreeState = null;
  return async ({ lease, leftMs }) => {
    if (lease === null || leftMs === null) return null;
    if (lease.attemptId !== attemptId) {
      attemptId = lease.attemptId;
      before = await world.treeState();
    }
    if (leftMs > 0) return null;
    const attempt = await attemptOf(world.store, lease);
    // a store that does not answer is no reason to end anything
    return attempt === null ? null : timeIsOver(world, { lease, attempt, before });
  };
}

interface Over {
  readonly lease: Lease;
  readonly attempt: Attempt;
  readonly before: TreeState;
}

async function timeIsOver(
  { store, treeState, tell }: DeadlineWorld,
  { lease, attempt, before }: Over,
): Promise<TimedOut | null> {
  const { startedAt, claimedAt, deadlineAt, extendedMs } = attempt;
  const timeBudgetMs = (deadlineAt ?? 0) - extendedMs - (startedAt ?? claimedAt);
  const extendedBefore = extendedMs > 0;
  const decision = decideTimeOver({ before, after: await treeState(), extendedBefore, timeBudgetMs });
  if (decision.type !== 'extend') return decision.type;
  const outcome = await store.extend({ lease, byMs: decision.byMs });
  if (outcome.type === 'refused') return 'release';
  if (outcome.type === 'extended')
    tell(`the time for task ${lease.taskId} is over, but it got on: ${formatSeconds(decision.byMs)} more, once`);
  return null;
}
