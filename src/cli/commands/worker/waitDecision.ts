import { describeFull } from '../../../fleet/worker/reviewLimitedStore.ts';
import type { ReviewLimit, TaskCounts } from '../../wiring/store/openedStore.ts';
import type { ListedWorker } from './gatherWorkers.ts';

/** The condition that `stopgate worker wait` waits for. */
export type WaitGoal = 'idle' | 'gone' | 'tasksDone';

export interface WaitFacts {
  readonly workers: readonly ListedWorker[];
  readonly counts: TaskCounts;
  /** When the wait began. */
  readonly deadBefore: number;
  /** Queues from which no task is claimed, because too much of their work waits for a person. */
  readonly full: readonly ReviewLimit[];
}

export type WaitDecision =
  | { readonly type: 'reached'; readonly sentence: string }
  /** Reached, but some tasks died. */
  | { readonly type: 'reachedBadly'; readonly sentence: string }
  | { readonly type: 'waiting'; readonly for: string };

const BY_GOAL: Readonly<Record<WaitGoal, (facts: WaitFacts) => WaitDecision>> = {
  idle: ({ workers }) => {
    const running = workers.filter(isRunning);
    const busy = running.filter(({ shownStatus }) => shownStatus !== 'idle' && shownStatus !== 'paused');
    if (busy.length > 0) return { type: 'waiting', for: `${named(busy)} to be idle` };
    return { type: 'reached', sentence: running.length === 0 ? 'No worker is running.' : `Idle: ${named(running)}.` };
  },
  gone: ({ workers }) => {
    const running = workers.filter(isRunning);
    if (running.length > 0) return { type: 'waiting', for: `${named(running)} to end` };
    return { type: 'reached', sentence: 'No worker is running.' };
  },
  tasksDone: ({ counts, deadBefore, full }) => {
    const open = counts.ready + counts.delayed + counts.blocked + counts.held + counts.claimed + counts.verifying;
    // without a person, this wait would not end
    const [blocked] = counts.ready > 0 && counts.claimed + counts.verifying === 0 ? full : [];
    const why = blocked === undefined ? '' : ` (${describeFull(blocked)})`;
    if (open > 0) return { type: 'waiting', for: `${open} task${open === 1 ? '' : 's'} to end${why}` };
    if (counts.dead > 0) return { type: 'reachedBadly', sentence: describeDead(counts.dead, deadBefore) };
    return { type: 'reached', sentence: 'All tasks have ended.' };
  },
};

/** Those from before count too: a worker may be faster than the caller of the wait. */
function describeDead(dead: number, before: number): string {
  const earlier =
    before === 0 ? '' : before === dead ? ', before this wait began' : `, ${before} before this wait began`;
  return `All tasks have ended, ${dead} of them dead${earlier}; \`stopgate task list --state dead\` shows them.`;
}

export const decideWait = (goal: WaitGoal, facts: WaitFacts): WaitDecision => BY_GOAL[goal](facts);

const isRunning = ({ shownStatus }: ListedWorker) =>
  shownStatus !== 'gone' && shownStatus !== 'stopped' && shownStatus !== 'lost';

const named = (workers: readonly ListedWorker[]) =>
  workers.length > 3 ? `${workers.length} workers` : workers.map(({ id }) => id).join(', ');
