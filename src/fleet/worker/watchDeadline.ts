import type { Lease, Store } from '../../store/types.ts';
import { formatSeconds } from '../../system/formatDuration.ts';
import { decideTimeOver, type TimeOver, type TreeState } from '../decisions/timeOver.ts';
import { attemptOf } from './heldBy.ts';

/** How a task is settled whose time is over, once its agent is gone. */
export type TimedOut = Exclude<TimeOver['type'], 'extend'>;

/**
 * Enforces a task's time limit. A task whose tree has changed since it was first seen is extended once. Returns how to settle the
 * task when its agent must be ended, else null. `leftMs` is null when the task has no deadline.
 */
export function watchDeadline({
  store,
  treeState,
  treeAtStart = () => null,
  report,
}: {
  readonly store: Store;
  readonly treeState: () => Promise<TreeState>;
  readonly treeAtStart?: ((lease: Lease) => TreeState) | undefined;
  readonly report: (sentence: string) => void;
}): (lease: Lease | null, leftMs: number | null) => Promise<TimedOut | null> {
  let attemptId: string | undefined;
  let before: TreeState = null;
  return async (lease, leftMs) => {
    if (lease === null || leftMs === null) return null;
    if (lease.attemptId !== attemptId) {
      attemptId = lease.attemptId;
      before = treeAtStart(lease) ?? (await treeState());
    }
    if (leftMs > 0) return null;
    const attempt = await attemptOf(store, lease);
    // an unreachable store never ends the agent
    if (attempt === null) return null;
    const { startedAt, claimedAt, deadlineAt, extendedMs } = attempt;
    const timeBudgetMs = (deadlineAt ?? 0) - extendedMs - (startedAt ?? claimedAt);
    const decision = decideTimeOver({ before, after: await treeState(), extendedBefore: extendedMs > 0, timeBudgetMs });
    if (decision.type !== 'extend') return decision.type;
    const outcome = await store.extend({ lease, byMs: decision.byMs });
    if (outcome.type === 'refused') return 'release';
    const by = formatSeconds(decision.byMs);
    if (outcome.type === 'extended')
      report(`the time limit of task ${lease.taskId} has passed, but it made progress: extended once by ${by}`);
    return null;
  };
}
