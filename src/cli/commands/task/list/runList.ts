import { drained, processWriter } from '../../../../system/writer.ts';
import { paintFor } from '../../../output/colors.ts';
import { openTaskStoreToRead } from '../../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { wholeNumber } from '../readFlags.ts';
import { chosenStatuses } from './chosenStatuses.ts';
import { gatherTasks, type TaskPage } from './gatherTasks.ts';
import { listText, totalOf, totalsLine } from './listText.ts';

export interface ListOptions {
  readonly state?: readonly string[];
  readonly queue?: string;
  readonly type?: readonly string[];
  readonly limit?: string;
  readonly json?: true;
  readonly store?: string;
}

const DEFAULT_LIMIT = 50;

/** `stopgate task list`. */
export async function runList(options: ListOptions, world: TaskWorld): Promise<number> {
  const statuses = options.state === undefined ? undefined : chosenStatuses(options.state);
  const limit = options.limit === undefined ? DEFAULT_LIMIT : wholeNumber('--limit', options.limit, 1);
  await using store = await openTaskStoreToRead(options.store, world);
  const page = await gatherTasks(store, { statuses, queue: options.queue, types: options.type, limit });
  const writer = processWriter(() => process.exit(0));
  const isTerminal = writer.outIsTerminal;
  const width = isTerminal ? writer.columns : Number.POSITIVE_INFINITY;
  const paint = paintFor(isTerminal, world.env);
  if (options.json) writer.out(`${JSON.stringify(page)}\n`);
  else if (page.tasks.length === 0) writer.out(`${nothingText(page)}\n`);
  else writer.out(listText(page, { paint, width, isTerminal }));
  await drained();
  return TASK_EXIT.done;
}

function nothingText(page: TaskPage): string {
  if (totalOf(page.counts) === 0) return 'There are no tasks; stopgate task add "title" adds one.';
  return `No task is like that. ${totalsLine(page)}`;
}
