import type { Unavailable } from '../../store/types.ts';
import { DEFAULT_LEASE } from '../decisions/leaseTimes.ts';
import { awaitAnswer } from './awaitAnswer.ts';
import { waitOf } from './nextTask.ts';
import type { FirstTask, WorkerRun } from './workerRun.ts';

type Confirmed =
  /** `heardAt`: when the heartbeat was sent that the store accepted. */
  | { readonly type: 'held'; readonly heardAt: number }
  | { readonly type: 'superseded'; readonly reason: string }
  /** The task alone is not its own any more, such as one that a person settled. */
  | { readonly type: 'settled'; readonly reason: string }
  | Unavailable;

/**
 * Whether a claimed task is still this worker's, right before its agent starts. What comes between a claim and a start can hang for
 * as long as a network drops packets: by then another machine may have the task. Waits for a store that does not answer.
 */
export async function confirmLease(run: WorkerRun, task: FirstTask): Promise<Confirmed> {
  const { incarnation, lease } = task;
  const { store, clock, workerId, lease: { fenceAfterMs } = DEFAULT_LEASE } = run;
  if (!run.fencesItself()) return { type: 'held', heardAt: clock.now() };
  let heardAt = clock.now();
  const ask = () => {
    heardAt = clock.now();
    return store.heartbeat({ workerId, incarnation, lease });
  };
  const answer = await awaitAnswer(ask, waitOf(run));
  if (answer.type === 'unavailable') return answer as Unavailable;
  // an answer that arrives when the network is back says nothing about now
  const isOld = clock.now() - heardAt >= fenceAfterMs;
  if (answer.type !== 'superseded') return isOld ? confirmLease(run, task) : { type: 'held', heardAt };
  if (answer.by === 'task') return { type: 'settled', reason: 'its task was settled before its agent started' };
  return { type: 'superseded', reason: 'the slot was taken by another worker before its agent started' };
}
