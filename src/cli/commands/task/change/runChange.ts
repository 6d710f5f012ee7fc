import { UserError } from '../../../../system/userError.ts';

import { available, type Outcomes } from '../../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import { printAnswer, type TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { findTaskId } from '../findTask.ts';
import { type BulkOptions, runBulk } from './runBulk.ts';

type ChangeOptions = BulkOptions;

const WORDS = {
  cancel: { done: 'is cancelled', already: 'was already cancelled', cannot: 'cannot be cancelled' },
  redrive: { done: 'is queued again', already: 'is already queued', cannot: 'cannot be redriven' },
  hold: { done: 'is held', already: 'is already held', cannot: 'cannot be held' },
  unhold: { done: 'is no longer held', already: 'was not held', cannot: 'cannot be released from its hold' },
} as const;

export type TaskChange = keyof typeof WORDS;

/** `stopgate task cancel|redrive|hold|unhold`: a refusal for one task does not stop the others. */
export const runChange =
  (change: TaskChange) =>
  async (ids: readonly string[], options: ChangeOptions, world: TaskWorld): Promise<number> => {
    if (options.all && ids.length === 0) return runBulk(change, options, world);
    checkIds(ids, options);
    await using store = await openTaskStore(options.store, world);
    let exitCode: number = TASK_EXIT.done;
    for (const id of ids) {
      const taskId = await findTaskId(store, id).catch((error: unknown) => {
        if (!(error instanceof UserError) || ids.length === 1) throw error;
        world.warn(error.message);
        return null;
      });
      const outcome = taskId === null ? null : available(await store[change](changeOf({ taskId }, options, world)));
      const isFine = outcome?.type === 'changed' || outcome?.type === 'unchanged';
      if (!isFine) exitCode = TASK_EXIT.refused;
      if (outcome === null) continue;
      const sentence = `Task ${taskId} ${describeOutcome(outcome, change)}`;
      printAnswer(world, options, { outcome: { taskId, ...outcome }, sentence, isFine });
    }
    return exitCode;
  };

/** Filters choose tasks; ids are a choice already. */
function checkIds(ids: readonly string[], { all, dryRun, queue, state, type }: ChangeOptions): void {
  if (ids.length === 0)
    throw new UserError('Name tasks by their ids, or give --all, with --queue or --state to choose.');
  const isFiltered = all || dryRun || queue !== undefined || state !== undefined || type !== undefined;
  if (isFiltered)
    throw new UserError('--all, --dry-run, --queue, --state and --type work without ids; remove one or the other.');
}

const changeOf = <What>(what: What, { reason }: ChangeOptions, { env }: TaskWorld) => ({
  ...what,
  reason,
  actor: env.USER || 'command line',
});

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
    const outcome = available(await store[`${change}Queue`](changeOf({ queue }, options, world)));
    const already = outcome.type === 'unchanged' ? ' already' : '';
    const sentence = `The queue ${queue} is${already} ${QUEUE_STATES[change]}.`;
    printAnswer(world, options, { outcome: { queue, ...outcome }, sentence });
    return TASK_EXIT.done;
  };
