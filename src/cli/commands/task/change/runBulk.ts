import { allTasks } from '../../../../store/allTasks.ts';
import { leaseOfAttempt } from '../../../../store/leaseOf.ts';
import { ownValue } from '../../../../system/ownValue.ts';
import { starPattern } from '../../../../system/starPattern.ts';
import { UserError } from '../../../../system/userError.ts';
import { available, type Store, type Task, type TaskStatus } from '../../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../../wiring/store/openTaskStore.ts';
import { printAnswer, type TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { chosenStatuses } from '../list/chosenStatuses.ts';
import type { CommonOptions, Flags } from '../taskOptions.ts';

export type BulkOptions = CommonOptions &
  Flags<'reason' | 'queue', 'all' | 'dryRun'> & {
    readonly state?: readonly string[];
    readonly type?: readonly string[];
    readonly key?: readonly string[];
  };

/** The options that choose tasks, as they are typed. */
const FILTERS = ['dryRun', 'queue', 'state', 'type', 'key'] as const satisfies readonly (keyof BulkOptions)[];

/** Without `--all`, a filter would be ignored: all of what is named would be changed. */
export const hasFilter = (options: BulkOptions): boolean => FILTERS.some((name) => options[name] !== undefined);

type Act = (
  store: Store,
  task: Task,
  more: { readonly reason?: string | undefined; readonly actor: string },
) => Promise<boolean>;

const OPEN: readonly TaskStatus[] = ['ready', 'delayed', 'blocked', 'held', 'claimed', 'verifying'];

const isChanged = (outcome: { readonly type: string }) => outcome.type === 'changed' || outcome.type === 'requeued';

const changing =
  (change: 'cancel' | 'redrive' | 'hold' | 'unhold'): Act =>
  async (store, { id: taskId }, more) =>
    isChanged(available(await store[change]({ taskId, ...more })));

/** What each verb does to one task, and the tasks that it can be done to. */
const VERBS: Readonly<
  Record<string, { readonly done: string; readonly possible: readonly TaskStatus[]; readonly act: Act }>
> = {
  cancel: { done: 'cancelled', possible: OPEN, act: changing('cancel') },
  redrive: { done: 'queued again', possible: ['dead', 'cancelled'], act: changing('redrive') },
  hold: { done: 'held', possible: ['ready', 'delayed', 'blocked'], act: changing('hold') },
  unhold: { done: 'no longer held', possible: ['held'], act: changing('unhold') },
  release: { done: 'released', possible: ['claimed'], act: releaseOne },
};

/** Takes it from its worker, which ends its agent at its next heartbeat. */
async function releaseOne(store: Store, { id: taskId, attemptId }: Task): Promise<boolean> {
  const { attempts } = available(await store.attempts({ taskId }));
  const attempt = attempts.find(({ id }) => id === attemptId);
  if (attempt === undefined) return false;
  const lease = leaseOfAttempt(attempt);
  return isChanged(available(await store.release({ lease, reason: 'released', backoff: false })));
}

/** `stopgate task cancel|redrive|hold|unhold|release --all`: every task that the filters name. */
export async function runBulk(verb: string, options: BulkOptions, world: TaskWorld): Promise<number> {
  const row = ownValue(VERBS, verb);
  if (row === undefined) throw new UserError(`--all does not work with task ${verb}.`);
  const statuses = options.state === undefined ? row.possible : chosenStatuses(options.state);
  const wrong = statuses.filter((status) => !row.possible.includes(status));
  const able = statuses.filter((status) => row.possible.includes(status));
  if (able.length === 0)
    throw new UserError(
      `Tasks that are ${wrong.join(' or ')} cannot be ${row.done}; use --state ${row.possible.join(',')}.`,
    );
  await using store = await openTaskStore(options.store, world);
  // all of them before the first is changed: a change would shift the pages
  const listed = await allTasks(store, { statuses: able, queue: options.queue, types: options.type });
  const tasks = listed.filter(hasKey(options.key));
  let changed = 0;
  if (!options.dryRun)
    for (const task of tasks)
      if (await row.act(store, task, { reason: options.reason, actor: world.actor })) changed += 1;
  const sentence = options.dryRun
    ? `${countText(tasks.length)} would be ${row.done}${examples(tasks)}.`
    : `${countText(changed)} ${changed === 1 ? 'is' : 'are'} ${row.done}${others(tasks.length - changed)}.`;
  const outcome = {
    type: options.dryRun ? 'dryRun' : 'changed',
    found: tasks.length,
    changed,
    ids: tasks.map(({ id }) => id),
  };
  return printAnswer(world, options, { outcome, sentence });
}

/** One that a pattern matches; without patterns, all. */
function hasKey(keys: readonly string[] | undefined): (task: Task) => boolean {
  const patterns = keys?.map(starPattern);
  return ({ dedupeKey }) =>
    patterns === undefined || (dedupeKey !== null && patterns.some((pattern) => pattern.test(dedupeKey)));
}

const countText = (count: number) => `${count.toLocaleString('en')} task${count === 1 ? '' : 's'}`;
const others = (count: number) => (count === 0 ? '' : `; ${count} changed in the meantime and stayed as they are`);

function examples(tasks: readonly Task[]): string {
  if (tasks.length === 0) return '';
  const some = tasks.slice(0, 3).map(({ id }) => id);
  return `: ${some.join(', ')}${tasks.length > some.length ? ' …' : ''}`;
}
