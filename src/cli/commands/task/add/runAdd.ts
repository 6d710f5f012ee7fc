import { wallNow } from '../../../../system/clock.ts';
import { readAllOfStdin } from '../../../../system/readStdin.ts';
import { UserError } from '../../../../system/userError.ts';
import { processWriter } from '../../../../system/writer.ts';
import { type Progress, progressOn } from '../../../output/progress.ts';
import { type AddedTask, available, type NewTask, type Store, storeTime } from '../../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { findTaskId } from '../findTask.ts';
import { durationMs, textFrom, timeAt, wholeNumber } from '../readFlags.ts';
import type { CommonOptions } from '../taskOptions.ts';
import { type AddDefaults, planItems, type ReadTasks } from './planItems.ts';
import { readJsonLines } from './readJsonLines.ts';
import { readMarkdown } from './readMarkdown.ts';

export interface AddOptions extends CommonOptions {
  readonly body?: string;
  readonly priority?: string;
  readonly type?: string;
  readonly queue?: string;
  readonly after?: readonly string[];
  readonly delay?: string;
  readonly at?: string;
  readonly maxFailures?: string;
  readonly maxClaims?: string;
  readonly timeBudget?: string;
  readonly key?: string;
  readonly hold?: string;
}

/** From this many tasks on, progress is shown. */
const MANY = 2_000;

type Read = Extract<ReadTasks, { type: 'read' }>;

/** `stopgate task add`: one task from the command line, or all tasks on stdin, in one transaction. */
export async function runAdd(title: string | undefined, options: AddOptions, world: TaskWorld): Promise<number> {
  const now = wallNow(world.clock);
  const progress = progressOn(
    processWriter(() => {}),
    () => world.clock.now(),
  );
  const task = await flagFields(options, now);
  const read = title === undefined || title === '-' ? await readPiped(options, progress) : oneTask(title);
  await using store = await openTaskStore(options.store, world);
  const findId = (ref: string) => findTaskId(store, ref);
  const after = await Promise.all((options.after ?? []).map(findId));
  const defaults: AddDefaults = { task, after };
  const planned = await planItems({ ...read, defaults, now, findId });
  const tasks = byStoreClock(planned, (await storeTime(store)) - wallNow(world.clock));
  // one transaction, so there are no intermediate steps to show
  if (tasks.length >= MANY) progress.show('adding tasks:', tasks.length);
  const added = await addAll(store, tasks, read, world);
  progress.end();
  for (const { line, title: done } of read.skipped)
    world.warn(`Line ${line} is marked as done, so it was skipped: ${done}`);
  printAdded(added, options, world);
  return TASK_EXIT.done;
}

const oneTask = (title: string): Read => ({ type: 'read', items: [{ line: 1, fields: { title } }], skipped: [] });

async function readPiped(options: AddOptions, progress: Progress): Promise<Read> {
  if (process.stdin.isTTY) {
    throw new UserError('Name the task: stopgate task add "title", or pipe in a list of tasks.');
  }
  if (options.body !== undefined || options.key !== undefined) {
    throw new UserError('--body and --key need a title on the command line; in a list, each task has its own.');
  }
  const text = (
    await readAllOfStdin({
      mostMegabytes: 500,
      advice: 'add the tasks in parts',
      onBytes: (bytes) => progress.show('reading bytes', bytes),
    })
  ).replace(/^\ufeff/, '');
  if (text.trim() === '') throw new UserError('Stdin is empty: pipe in a list of tasks, or give a title.');
  const read = text.trimStart().startsWith('{') ? readJsonLines(text) : readMarkdown(text);
  if (read.type === 'broken') throw new UserError(read.reason);
  return read;
}

async function flagFields(options: AddOptions, now: number): Promise<AddDefaults['task']> {
  const { body, priority, type, queue, delay, at, maxFailures, maxClaims, timeBudget, key, hold } = options;
  const claims = maxClaims === undefined ? undefined : wholeNumber('--max-claims', maxClaims, { least: 1 });
  return {
    body: body === undefined ? undefined : await textFrom('--body', body),
    priority:
      priority === undefined ? undefined : wholeNumber('--priority', priority, { least: Number.NEGATIVE_INFINITY }),
    type,
    queue,
    delayMs: delay === undefined ? undefined : durationMs('--delay', delay),
    runAt: at === undefined ? undefined : timeAt('--at', at, now),
    maxFailures: maxFailures === undefined ? undefined : wholeNumber('--max-failures', maxFailures, { least: 1 }),
    maxReclaims: claims,
    maxReleases: claims,
    timeBudgetMs: timeBudget === undefined ? undefined : durationMs('--time-budget', timeBudget),
    dedupeKey: key,
    holdReason: hold,
  };
}

/** The store may run on another clock; a smaller difference is latency. */
const APART_MS = 2_000;

/** Converts `--at`, a time on this machine's clock. */
function byStoreClock(tasks: readonly NewTask[], aheadMs: number): readonly NewTask[] {
  if (Math.abs(aheadMs) < APART_MS) return tasks;
  return tasks.map((task) => (task.runAt === undefined ? task : { ...task, runAt: task.runAt + aheadMs }));
}

async function addAll(
  store: Store,
  tasks: readonly NewTask[],
  { items }: Read,
  { env }: TaskWorld,
): Promise<readonly AddedTask[]> {
  const outcome = available(await store.addTasks({ tasks, actor: env.USER || 'command line' }));
  if (outcome.type === 'added') return outcome.tasks;
  const { position, reason } = outcome;
  if (items.length === 1) throw new UserError(`The task was not added: ${reason}`);
  throw new UserError(
    `No task was added, because the one on line ${items[position]?.line ?? position + 1} was refused: ${reason}`,
  );
}

function printAdded(added: readonly AddedTask[], { json }: AddOptions, world: TaskWorld): void {
  world.print(json ? `${JSON.stringify({ tasks: added })}\n` : added.map(({ id }) => `${id}\n`).join(''));
  if (json) return;
  const there = added.filter(({ created }) => !created).length;
  if (there === 1 && added.length === 1) world.warn('Not added: an unfinished task with this key already exists.');
  else if (there > 0) world.warn(`${there} of ${added.length} were not added: unfinished tasks with their keys exist.`);
}
