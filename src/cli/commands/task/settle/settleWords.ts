import { ownValue } from '../../../../system/ownValue.ts';
import type { CompleteOutcome, Lease, LeaseLost, RequeueOutcome } from '../../../wiring/store/openedStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import { shortAge } from '../taskFacts.ts';

/** What a settlement came to: a sentence, and what a script is told. */
export interface Settled {
  readonly sentence: string;
  readonly exitCode: number;
}

type Answered<Outcome> = Exclude<Outcome, { readonly type: 'unavailable' }>;

export function completedWords(outcome: Answered<CompleteOutcome>, lease: Lease): Settled {
  if (outcome.type !== 'accepted') return lostWords(outcome, lease, true);
  const late = outcome.late ? ' It had been given up, but nobody had claimed it since.' : '';
  const next = outcome.taskState === 'verifying' ? 'completed and will be verified' : 'done';
  return { sentence: `Task ${lease.taskId} is ${next}.${late}`, exitCode: TASK_EXIT.done };
}

export function requeuedWords(
  outcome: Answered<RequeueOutcome>,
  { lease, verb, now }: { readonly lease: Lease; readonly verb: 'failed' | 'released'; readonly now: number },
): Settled {
  const { taskId } = lease;
  if (outcome.type === 'dead') {
    const sentence = `Task ${taskId} is dead and will not be tried again; \`stopgate task redrive ${taskId}\` brings it back.`;
    return { sentence, exitCode: TASK_EXIT.done };
  }
  if (outcome.type !== 'requeued') return lostWords(outcome, lease, false);
  const waitMs = outcome.runAt - now;
  const next = waitMs > 0 ? `can be claimed again in ${shortAge(waitMs)}` : 'can be claimed again now';
  return { sentence: `Task ${taskId} is ${verb} and ${next}.`, exitCode: TASK_EXIT.done };
}

/** Nothing was changed by it, except that a result is kept. */
function lostWords(lost: LeaseLost, { taskId, epoch }: Lease, isResult: boolean): Settled {
  const kept = isResult ? ` Your result is kept as a late one: \`stopgate task show ${taskId}\`.` : '';
  const notYours = (what: string) => ({ sentence: `${what}${kept}`, exitCode: TASK_EXIT.notYours });
  if (lost.type === 'cancelled') return notYours(`Task ${taskId} was cancelled.`);
  if (lost.type === 'superseded') {
    const now = lost.epoch > epoch ? `it was claimed again (epoch ${lost.epoch})` : 'it was taken from you';
    return notYours(`Your claim of ${taskId} (epoch ${epoch}) is superseded: ${now}, and it is ${lost.taskState}.`);
  }
  if (lost.type === 'settled') {
    return notYours(
      `Your claim of ${taskId} (epoch ${epoch}) was settled before: it ${ownValue(STATE_WORDS, lost.state) ?? lost.state}.`,
    );
  }
  return { sentence: `There is no such claim of task ${taskId}.`, exitCode: TASK_EXIT.wrongUse };
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  released: 'was released',
  rate_limited: 'was released for a rate limit',
  timed_out: 'ran out of time',
};
