import { UserError } from '../../../../system/userError.ts';
import {
  available,
  type ChangeTaskOutcome,
  type ChangeTaskRequest,
  type Store,
} from '../../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { findTaskId } from '../findTask.ts';

export interface ChangeOptions {
  readonly reason?: string;
  readonly json?: true;
  readonly store?: string;
}

/** What a person does to tasks, and the words for it. */
export type TaskChange = 'cancel' | 'redrive' | 'hold' | 'unhold';

interface ChangeWords {
  readonly done: string;
  readonly already: string;
  readonly cannot: string;
}

const WORDS: Readonly<Record<TaskChange, ChangeWords>> = {
  cancel: { done: 'is cancelled', already: 'was cancelled before', cannot: 'cannot be cancelled' },
  redrive: { done: 'is queued again', already: 'is queued already', cannot: 'cannot be driven again' },
  hold: { done: 'is held', already: 'is held already', cannot: 'cannot be held' },
  unhold: { done: 'is no longer held', already: 'was not held', cannot: 'cannot be let go' },
};

/** `stopgate task cancel|redrive|hold|unhold`: each task by itself; what one refuses does not stop the others. */
export async function runChange(
  change: TaskChange,
  ids: readonly string[],
  { options, world }: { readonly options: ChangeOptions; readonly world: TaskWorld },
): Promise<number> {
  await using store = await openTaskStore(options.store, world);
  const actor = world.env.USER || 'command line';
  let exitCode: number = TASK_EXIT.done;
  for (const id of ids) {
    const taskId = await findTaskId(store, id).catch((error: unknown) => {
      if (!(error instanceof UserError) || ids.length === 1) throw error;
      world.warn(error.message);
      return null;
    });
    if (taskId === null) exitCode = TASK_EXIT.refused;
    else if (!(await changeOne(store, change, { request: { taskId, reason: options.reason, actor }, options, world })))
      exitCode = TASK_EXIT.refused;
  }
  return exitCode;
}

interface OneChange {
  readonly request: ChangeTaskRequest;
  readonly options: ChangeOptions;
  readonly world: TaskWorld;
}

async function changeOne(store: Store, change: TaskChange, { request, options, world }: OneChange): Promise<boolean> {
  const outcome = available(await store[change](request));
  const isFine = outcome.type === 'changed' || outcome.type === 'unchanged';
  const sentence = `Task ${request.taskId} ${outcomeWords(outcome, WORDS[change])}`;
  if (options.json) world.say(`${JSON.stringify({ taskId: request.taskId, ...outcome })}\n`);
  else if (isFine) world.say(`${sentence}\n`);
  else world.warn(sentence);
  return isFine;
}

function outcomeWords(outcome: Exclude<ChangeTaskOutcome, { type: 'unavailable' }>, words: ChangeWords): string {
  if (outcome.type === 'changed') return `${words.done}.`;
  if (outcome.type === 'unchanged') return `${words.already}.`;
  if (outcome.type === 'unknownTask') return 'is gone.';
  if (outcome.reason === 'duplicate') {
    return `${words.cannot}: task ${outcome.existingId} was added with the same key since and has not ended.`;
  }
  return `${words.cannot}: it is ${outcome.state}.`;
}
