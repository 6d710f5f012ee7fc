import { allTasks } from '../../../../store/allTasks.ts';
import { printResult } from '../../../output/printResult.ts';
import type { Store } from '../../../wiring/store/openedStore.ts';
import { openTaskStoreToShow } from '../../../wiring/store/openTaskStore.ts';
import { whyEmptyQueue } from '../../../wiring/store/queuesWithTasks.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { wholeNumber } from '../readFlags.ts';
import type { CommonOptions, Flags } from '../taskOptions.ts';
import { chosenStatuses } from './chosenStatuses.ts';
import { deadGroups, deadText } from './deadGroups.ts';
import { gatherTasks, type TaskPage } from './gatherTasks.ts';
import { listText, totalOf, totalsLine } from './listText.ts';

type ListOptions = CommonOptions &
  Flags<'queue' | 'limit', 'dead'> & { readonly [Name in 'state' | 'type']?: readonly string[] };

const DEFAULT_LIMIT = 50;

/** `stopgate task list`. */
export async function runList(options: ListOptions, world: TaskWorld): Promise<number> {
  const statuses = options.state === undefined ? undefined : chosenStatuses(options.state);
  const limit = wholeNumber('--limit', options.limit, { least: 1 }) ?? DEFAULT_LIMIT;
  await using store = await openTaskStoreToShow(options.store, world);
  if (options.dead) {
    const { queue, type: types } = options;
    const groups = deadGroups(await allTasks(store, { statuses: ['dead'], queue, types, order: 'newest' }));
    return printResult(options.json ? { groups } : null, world, (page) => deadText(groups, page));
  }
  const page = await gatherTasks(
    store,
    { statuses, queue: options.queue, types: options.type, limit },
    world.stopgateHome,
  );
  const nothing = page.tasks.length === 0 && !options.json ? await nothingText(store, page, options.queue) : '';
  return printResult(options.json ? page : null, world, (layout, isTerminal) =>
    page.tasks.length === 0 ? `${nothing}\n` : listText(page, { ...layout, isTerminal }),
  );
}

async function nothingText(store: Store, page: TaskPage, queue: string | undefined): Promise<string> {
  if (totalOf(page.counts) > 0) return `No task matches. ${totalsLine(page)}`;
  const elsewhere = queue === undefined ? null : await whyEmptyQueue(store, queue);
  return elsewhere ?? 'There are no tasks; `stopgate task add "title"` adds one.';
}
