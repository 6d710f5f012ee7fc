import { nearestName } from '../../../../system/nearestName.ts';
import { ownValue } from '../../../../system/ownValue.ts';
import { UserError } from '../../../../system/userError.ts';
import { printResult } from '../../../output/printResult.ts';
import type { TaskStatus } from '../../../wiring/store/openedStore.ts';
import { openTaskStoreToShow } from '../../../wiring/store/openTaskStore.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { wholeNumber } from '../readFlags.ts';
import type { CommonOptions, Flags } from '../taskOptions.ts';
import { gatherTasks, type TaskPage } from './gatherTasks.ts';
import { listText, STATUSES, totalOf, totalsLine } from './listText.ts';

type ListOptions = CommonOptions &
  Flags<'queue' | 'limit'> & { readonly [Name in 'state' | 'type']?: readonly string[] };

const DEFAULT_LIMIT = 50;

/** `stopgate task list`. */
export async function runList(options: ListOptions, world: TaskWorld): Promise<number> {
  const statuses = options.state === undefined ? undefined : chosenStatuses(options.state);
  const limit = wholeNumber('--limit', options.limit, { least: 1 }) ?? DEFAULT_LIMIT;
  await using store = await openTaskStoreToShow(options.store, world);
  const page = await gatherTasks(store, { statuses, queue: options.queue, types: options.type, limit });
  return printResult(options.json ? page : null, world, (layout, isTerminal) =>
    page.tasks.length === 0 ? `${nothingText(page)}\n` : listText(page, { ...layout, isTerminal }),
  );
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
