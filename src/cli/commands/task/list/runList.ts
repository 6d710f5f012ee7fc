import { nearestName } from '../../../../system/nearestName.ts';
import { ownValue } from '../../../../system/ownValue.ts';
import { UserError } from '../../../../system/userError.ts';
import { drained, processWriter } from '../../../../system/writer.ts';
import { paintFor } from '../../../output/colors.ts';
import type { TaskStatus } from '../../../wiring/store/openedStore.ts';
import { openTaskStoreToRead } from '../../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { wholeNumber } from '../readFlags.ts';
import type { CommonOptions } from '../taskOptions.ts';
import { gatherTasks, type TaskPage } from './gatherTasks.ts';
import { listText, STATUSES, totalOf, totalsLine } from './listText.ts';

export interface ListOptions extends CommonOptions {
  readonly state?: readonly string[];
  readonly queue?: string;
  readonly type?: readonly string[];
  readonly limit?: string;
}

const DEFAULT_LIMIT = 50;

/** `stopgate task list`. */
export async function runList(options: ListOptions, world: TaskWorld): Promise<number> {
  const statuses = options.state === undefined ? undefined : chosenStatuses(options.state);
  const limit = options.limit === undefined ? DEFAULT_LIMIT : wholeNumber('--limit', options.limit, { least: 1 });
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
  if (totalOf(page.counts) === 0) return 'There are no tasks; `stopgate task add "title"` adds one.';
  return `No task matches. ${totalsLine(page)}`;
}

const QUEUED: readonly TaskStatus[] = ['ready', 'delayed', 'blocked', 'held'];

/** The values of `--state` besides the statuses themselves. */
const GROUPS: Readonly<Record<string, readonly TaskStatus[]>> = {
  queued: QUEUED,
  open: [...QUEUED, 'claimed', 'verifying'],
  ended: ['done', 'dead', 'cancelled'],
};

function chosenStatuses(names: readonly string[]): readonly TaskStatus[] {
  const known = [...Object.keys(GROUPS), ...STATUSES];
  const chosen = names.flatMap((name) => {
    const wanted = name.toLowerCase();
    const statuses = ownValue(GROUPS, wanted) ?? STATUSES.filter((status) => status === wanted);
    if (statuses.length > 0) return statuses;
    const nearest = nearestName(name, known);
    const hint = nearest ? `did you mean ${nearest}?` : `use ${known.join(', ')}.`;
    throw new UserError(`There is no state '${name}'; ${hint}`);
  });
  return [...new Set(chosen)];
}
