import type { Attempt } from './attempt.ts';
import type { Requests } from './requests.ts';
import type { Task } from './task.ts';

/** The attempt that a claim creates, from the task, the request and the time. */
export function newAttempt(
  task: Pick<Task, 'id' | 'epoch' | 'timeBudgetMs'>,
  request: Requests['claim'],
  now: number,
): Attempt {
  const { claimKey, workerId, incarnation, offerMs } = request;
  const offered = offerMs !== undefined;
  return {
    id: claimKey,
    taskId: task.id,
    epoch: task.epoch,
    workerId,
    incarnation,
    state: offered ? 'offered' : 'active',
    claimedAt: now,
    offeredAt: offered ? now : null,
    offerUntil: offered ? now + offerMs : null,
    startedAt: offered ? null : now,
    // the time of an offer starts when it is acknowledged
    deadlineAt: offered || task.timeBudgetMs === null ? null : now + task.timeBudgetMs,
    extendedMs: 0,
    endedAt: null,
    outcome: null,
    countsAsFailure: false,
    checkpoint: null,
    checkpointAt: null,
    details: {},
    result: null,
    lateResult: null,
    error: null,
  };
}
