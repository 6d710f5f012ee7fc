import type { Attempt, PreviousAttempt } from './attempt.ts';
import { leaseOfAttempt } from './leaseOf.ts';
import type { Claimed } from './outcomes.ts';
import type { Requests } from './requests.ts';
import type { Task } from './task.ts';

/** The outcome of a claim. */
export function claimedOutcome(task: Task, attempt: Attempt, previous: PreviousAttempt | null): Claimed {
  const attemptNumber = task.failures + task.reclaims + task.releases + 1;
  return { type: 'claimed', lease: leaseOfAttempt(attempt), task, attempt, attemptNumber, previous };
}

/** The attempt that a claim creates, from the task, the request and the time. */
export function newAttempt(
  task: Pick<Task, 'id' | 'epoch'>,
  request: Requests['claim'],
  { now, limitMs }: { readonly now: number; readonly limitMs: number | null },
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
    deadlineAt: offered || limitMs === null ? null : now + limitMs,
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
