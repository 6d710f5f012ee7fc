import { formatSeconds } from '../../../../system/formatDuration.ts';
import { ownValue } from '../../../../system/ownValue.ts';
import type { CompleteOutcome, Lease, LeaseLost, RequeueOutcome } from '../../../wiring/store/openedStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';

/** The outcome of a settlement, for a person and for a script. */
export interface Settled {
  readonly sentence: string;
  readonly exitCode: number;
}

type Answered<Outcome> = Exclude<Outcome, { readonly type: 'unavailable' }>;

export function describeCompletion(outcome: Answered<CompleteOutcome>, lease: Lease): Settled {
  if (outcome.type !== 'accepted') return describeLoss(outcome, lease, true);
  const late = outcome.late ? ' Your claim had been given up, but no other worker had claimed the task since.' : '';
  const next = outcome.taskState === 'verifying' ? 'completed and will be verified' : 'done';
  return { sentence: `Task ${lease.taskId} is ${next}.${late}`, exitCode: TASK_EXIT.done };
}

export function describeRequeue(
  outcome: Answered<RequeueOutcome>,
  { lease, verb, now }: { readonly lease: Lease; readonly verb: 'failed' | 'released'; readonly now: number },
): Settled {
  const { taskId } = lease;
  if (outcome.type === 'dead') {
    const sentence = `Task ${taskId} is dead and will not be retried; \`stopgate task redrive ${taskId}\` requeues it.`;
    return { sentence, exitCode: TASK_EXIT.done };
  }
  if (outcome.type !== 'requeued') return describeLoss(outcome, lease, false);
  const waitMs = outcome.runAt - now;
  const next = waitMs > 0 ? `can be claimed again in ${formatSeconds(waitMs)}` : 'can be claimed again now';
  return {
    sentence: `Task ${taskId} ${verb === 'failed' ? 'has failed' : 'was released'} and ${next}.`,
    exitCode: TASK_EXIT.done,
  };
}

/** Nothing changed, except that a result is kept. */
function describeLoss(lost: LeaseLost, { taskId, epoch }: Lease, isResult: boolean): Settled {
  const kept = isResult ? ` Your result is kept as a late result: \`stopgate task show ${taskId}\`.` : '';
  const notYours = (what: string) => ({ sentence: `${what}${kept}`, exitCode: TASK_EXIT.notYours });
  if (lost.type === 'cancelled') return notYours(`Task ${taskId} was cancelled.`);
  if (lost.type === 'superseded') {
    const now = lost.epoch > epoch ? `it was claimed again (epoch ${lost.epoch})` : 'it was taken from you';
    return notYours(`Your claim on ${taskId} (epoch ${epoch}) is superseded: ${now}, and it is ${lost.taskState}.`);
  }
  if (lost.type === 'settled') {
    return notYours(
      `Your claim on ${taskId} (epoch ${epoch}) is already settled: it ${ownValue(STATE_WORDS, lost.state) ?? lost.state}.`,
    );
  }
  return { sentence: `There is no such claim on task ${taskId}.`, exitCode: TASK_EXIT.wrongUse };
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  released: 'was released',
  rate_limited: 'was released because of a rate limit',
  timed_out: 'ran out of time',
};
