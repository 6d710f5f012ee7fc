import { UserError } from '../../../../system/userError.ts';
import { available, type Outcomes, type Store } from '../../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { findTaskId } from '../findTask.ts';
import type { CommonOptions } from '../taskOptions.ts';

export interface ChangeOptions extends CommonOptions {
  readonly reason?: string;
}

interface Changing {
  readonly options: ChangeOptions;
  readonly world: TaskWorld;
}

export type TaskChange = 'cancel' | 'redrive' | 'hold' | 'unhold';

interface ChangeWords {
  readonly done: string;
  readonly already: string;
  readonly cannot: string;
}

const WORDS: Readonly<Record<TaskChange, ChangeWords>> = {
  cancel: { done: 'is cancelled', already: 'was already cancelled', cannot: 'cannot be cancelled' },
  redrive: { done: 'is queued again', already: 'is already queued', cannot: 'cannot be redriven' },
  hold: { done: 'is held', already: 'is already held', cannot: 'cannot be held' },
  unhold: { done: 'is no longer held', already: 'was not held', cannot: 'cannot be released from its hold' },
};

/** `stopgate task cancel|redrive|hold|unhold`: a refusal for one task does not stop the others. */
export async function runChange(
  change: TaskChange,
  ids: readonly string[],
  { options, world }: Changing,
): Promise<number> {
  await using store = await openTaskStore(options.store, world);
  let exitCode: number = TASK_EXIT.done;
  for (const id of ids) {
    const taskId = await findTaskId(store, id).catch((error: unknown) => {
      if (!(error instanceof UserError) || ids.length === 1) throw error;
      world.warn(error.message);
      return null;
    });
    const isDone = taskId !== null && (await changeOne(store, change, { taskId, options, world }));
    if (!isDone) exitCode = TASK_EXIT.refused;
  }
  return exitCode;
}

const actorOf = ({ env }: TaskWorld) => env.USER || 'command line';

interface OneChange extends Changing {
  readonly taskId: string;
}

async function changeOne(store: Store, change: TaskChange, { taskId, options, world }: OneChange): Promise<boolean> {
  const outcome = available(await store[change]({ taskId, reason: options.reason, actor: actorOf(world) }));
  const isFine = outcome.type === 'changed' || outcome.type === 'unchanged';
  const sentence = `Task ${taskId} ${describeOutcome(outcome, WORDS[change])}`;
  if (options.json) world.print(`${JSON.stringify({ taskId, ...outcome })}\n`);
  else if (isFine) world.print(`${sentence}\n`);
  else world.warn(sentence);
  return isFine;
}

function describeOutcome(outcome: Outcomes['cancel'], words: ChangeWords): string {
  if (outcome.type === 'changed') return `${words.done}.`;
  if (outcome.type === 'unchanged') return `${words.already}.`;
  if (outcome.type === 'unknownTask') return 'no longer exists.';
  if (outcome.reason === 'duplicate') {
    return `${words.cannot}: the unfinished task ${outcome.existingId} now has the same key.`;
  }
  return `${words.cannot}: it is ${outcome.state}.`;
}

/** `stopgate task pause|resume [queue]`. */
export async function runPause(paused: boolean, queue: string, { options, world }: Changing): Promise<number> {
  await using store = await openTaskStore(options.store, world);
  const request = { queue, reason: options.reason, actor: actorOf(world) };
  const outcome = available(await (paused ? store.pauseQueue(request) : store.resumeQueue(request)));
  const already = outcome.type === 'unchanged' ? ' already' : '';
  const state = paused ? 'paused: claimed tasks continue, but no new ones are claimed' : 'open';
  if (options.json) world.print(`${JSON.stringify({ queue, ...outcome })}\n`);
  else world.print(`The queue ${queue} is${already} ${state}.\n`);
  return TASK_EXIT.done;
}
