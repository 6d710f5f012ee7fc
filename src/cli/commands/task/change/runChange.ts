import { UserError } from '../../../../system/userError.ts';
import { available, type Outcomes, type Store } from '../../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../../wiring/store/openTaskStore.ts';
import { whyEmptyQueue } from '../../../wiring/store/queuesWithTasks.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import { printAnswer, type TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { findTaskId } from '../findTask.ts';
import { type BulkOptions, hasFilter, runBulk } from './runBulk.ts';

type ChangeOptions = BulkOptions;

const WORDS = {
  cancel: { done: 'is cancelled', already: 'was already cancelled', cannot: 'cannot be cancelled' },
  redrive: { done: 'is queued again', already: 'is already queued', cannot: 'cannot be redriven' },
  hold: { done: 'is held', already: 'is already held', cannot: 'cannot be held' },
  unhold: { done: 'is no longer held', already: 'was not held', cannot: 'cannot be released from its hold' },
} as const;

export type TaskChange = keyof typeof WORDS;

/**
 * `stopgate task cancel|redrive|hold|unhold`: a task that cannot be changed does not stop the others. A word that is not an id does, before
 * anything is changed: it may be a reason, or the wrong task.
 */
export const runChange =
  (change: TaskChange) =>
  async (ids: readonly string[], options: ChangeOptions, world: TaskWorld): Promise<number> => {
    if (options.all && ids.length === 0) return runBulk(change, options, world);
    checkIds(ids, options);
    await using store = await openTaskStore(options.store, world);
    let exitCode: number = TASK_EXIT.done;
    for (const taskId of await Array.fromAsync(ids, (id) => findOne(store, id, ids.length > 1))) {
      const outcome = available(await store[change]({ taskId, reason: options.reason, actor: world.actor }));
      const isFine = outcome.type === 'changed' || outcome.type === 'unchanged';
      const sentence = `Task ${taskId} ${describeOutcome(outcome, change)}`;
      const code = printAnswer(world, options, { outcome: { taskId, ...outcome }, sentence, isFine });
      exitCode = Math.max(exitCode, code);
    }
    return exitCode;
  };

const findOne = (store: Store, id: string, isOfSeveral: boolean): Promise<string> =>
  findTaskId(store, id).catch((error: unknown) => {
    if (!(error instanceof UserError) || !isOfSeveral) throw error;
    throw new UserError(`${error.message} Nothing was changed. A reason is given with --reason.`);
  });

/** Filters choose tasks; ids are a choice already. */
function checkIds(ids: readonly string[], options: ChangeOptions): void {
  if (ids.length === 0)
    throw new UserError('Name tasks by their ids, or give --all, with --queue, --state or --key to choose.');
  if (options.all || hasFilter(options))
    throw new UserError(
      '--all, --dry-run, --queue, --state, --type and --key work without ids; remove one or the other.',
    );
}

function describeOutcome(outcome: Exclude<Outcomes['cancel'], { type: 'unavailable' }>, change: TaskChange): string {
  const { done, already, cannot } = WORDS[change];
  if (outcome.type === 'changed') return `${done}.`;
  if (outcome.type === 'unchanged') return `${already}.`;
  if (outcome.type === 'unknownTask') return 'no longer exists.';
  if (outcome.reason === 'duplicate') {
    return `${cannot}: the unfinished task ${outcome.existingId} now has the same key.`;
  }
  return `${cannot}: it is ${outcome.state}.`;
}

const QUEUE_STATES = {
  pause: 'paused: claimed tasks continue, but no new ones are claimed',
  resume: 'open',
} as const;

/** `stopgate task pause|resume [queue]`. */
export const runPause =
  (change: keyof typeof QUEUE_STATES) =>
  async (queue: string, options: ChangeOptions, world: TaskWorld): Promise<number> => {
    await using store = await openTaskStore(options.store, world);
    const outcome = available(await store[`${change}Queue`]({ queue, reason: options.reason, actor: world.actor }));
    const empty = await whyEmptyQueue(store, queue);
    if (empty !== null) world.warn(empty);
    const already = outcome.type === 'unchanged' ? ' already' : '';
    const sentence = `The queue ${queue} is${already} ${QUEUE_STATES[change]}.`;
    return printAnswer(world, options, { outcome: { queue, ...outcome }, sentence });
  };
