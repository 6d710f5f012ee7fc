import { printResult } from '../../../output/printResult.ts';
import { openTaskStoreToShow } from '../../../wiring/store/openTaskStore.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { wholeNumber } from '../readFlags.ts';
import type { CommonOptions, Flags } from '../taskOptions.ts';
import { chosenStatuses } from './chosenStatuses.ts';
import { deadText, gatherDead } from './deadGroups.ts';
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
    const groups = await gatherDead(store, options.queue, options.type);
    return printResult(options.json ? { groups } : null, world, () => deadText(groups));
  }
  const page = await gatherTasks(
    store,
    { statuses, queue: options.queue, types: options.type, limit },
    world.stopgateHome,
  );
  return printResult(options.json ? page : null, world, (layout, isTerminal) =>
    page.tasks.length === 0 ? `${nothingText(page)}\n` : listText(page, { ...layout, isTerminal }),
  );
}

function nothingText(page: TaskPage): string {
  if (totalOf(page.counts) === 0) return 'There are no tasks; `stopgate task add "title"` adds one.';
  return `No task matches. ${totalsLine(page)}`;
}
