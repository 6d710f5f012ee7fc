import { UserError } from '../../../../system/userError.ts';
import { printResult } from '../../../output/printResult.ts';
import { columnsText } from '../../../output/table.ts';
import { available, type Outcomes } from '../../../wiring/store/openedStore.ts';
import { openTaskStore, openTaskStoreToShow } from '../../../wiring/store/openTaskStore.ts';
import { whyEmptyQueue } from '../../../wiring/store/queuesWithTasks.ts';
import { printAnswer, type TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { wholeNumber } from '../readFlags.ts';
import type { CommonOptions } from '../taskOptions.ts';

/** `stopgate task limit [queue] [n]`. */
export async function runLimit(
  queue: string | undefined,
  count: string | undefined,
  options: CommonOptions,
  world: TaskWorld,
): Promise<number> {
  if (queue === undefined) return showLimits(options, world);
  if (count === undefined)
    throw new UserError(`Give the limit, such as \`stopgate task limit ${queue} 2\`, or none for no limit.`);
  const limit = count === 'none' ? null : wholeNumber('The limit', count, { least: 1, most: 1_000_000 });
  await using store = await openTaskStore(options.store, world);
  const outcome = available(await store.limitQueue({ queue, limit, actor: world.actor }));
  const empty = await whyEmptyQueue(store, queue);
  if (empty !== null) world.warn(empty);
  const already = outcome.type === 'unchanged' ? ' already' : '';
  const what = limit === null ? 'no limit' : `a limit of ${limit}: at most ${tasks(limit)} at the same time`;
  const sentence = `The queue ${queue}${already} has ${what}.`;
  return printAnswer(world, options, { outcome: { queue, limit, ...outcome }, sentence });
}

const tasks = (count: number) => `${count} task${count === 1 ? '' : 's'}`;

async function showLimits(options: CommonOptions, world: TaskWorld): Promise<number> {
  await using store = await openTaskStoreToShow(options.store, world);
  const { type: _type, ...limits } = available(await store.limits());
  return printResult(options.json ? limits : null, world, (page) => limitsText(limits, page));
}

type Limits = Omit<Exclude<Outcomes['limits'], { type: 'unavailable' }>, 'type'>;

function limitsText({ queues, keys }: Limits, page: Parameters<typeof columnsText>[0]): string {
  const rows = [
    ...queues.map(({ queue, limit, inProgress }) => ({ what: `queue ${queue}`, limit: String(limit), inProgress })),
    // each task has its own limit
    ...keys.map(({ key, inProgress }) => ({ what: `key ${key}`, limit: '', inProgress })),
  ];
  if (rows.length === 0) return 'No queue has a limit, and no task with a concurrency key is in progress.\n';
  const columns = [
    { title: 'WHAT', cell: ({ what }: (typeof rows)[number]) => ({ text: what }) },
    { title: 'LIMIT', cell: ({ limit }: (typeof rows)[number]) => ({ text: limit }) },
    { title: 'IN PROGRESS', cell: ({ inProgress }: (typeof rows)[number]) => ({ text: String(inProgress) }) },
  ];
  return `${columnsText(page, columns, rows)}\n`;
}
