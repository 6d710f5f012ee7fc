import { worktreeOf } from '../../../../git/findPipe.ts';
import { WORKER } from '../../../../stop/worker/workerIdentity.ts';
import { NO_VERIFICATION } from '../../../../store/verification.ts';
import { wallNow } from '../../../../system/clock.ts';
import { readAllOfStdin } from '../../../../system/readStdin.ts';
import { UserError } from '../../../../system/userError.ts';
import { processWriter } from '../../../../system/writer.ts';
import { type Progress, progressOn } from '../../../output/progress.ts';
import { agentHere } from '../../../wiring/standing/refuseAgents.ts';
import { type Agent, isOwnProcess } from '../../../wiring/standing/standing.ts';
import {
  type AddedTask,
  available,
  type NewTask,
  type Store,
  storeAheadMs,
} from '../../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../../wiring/store/openTaskStore.ts';
import { chooseStorePlace } from '../../../wiring/store/storePlace.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { findTaskId } from '../findTask.ts';
import { textFrom, wholeNumber } from '../readFlags.ts';
import { addSchedule, type ScheduleOptions, timesOf } from '../schedule/addSchedule.ts';
import type { CommonOptions, Flags } from '../taskOptions.ts';
import { type PlanFacts, planItems, storeFields, type TaskItem } from './planItems.ts';
import { readJsonLines } from './readJsonLines.ts';
import { readMarkdown } from './readMarkdown.ts';
import type { TaskRepository } from './taskRepository.ts';

type AddOptions = CommonOptions &
  Flags<'body' | 'priority' | 'type' | 'queue' | 'delay' | 'at' | 'maxFailures' | 'maxClaims'> &
  ScheduleOptions &
  Flags<'timeBudget' | 'totalTime' | 'key' | 'hold' | 'judge' | 'concurrencyKey' | 'concurrency' | 'repo' | 'base'> & {
    readonly after?: readonly string[];
    readonly maxBudgetUsd?: number;
    readonly tokenBudget?: number;
    /** False with `--no-verify`. */
    readonly verify?: readonly string[] | false;
  };

/** From this many tasks on, progress is shown. */
const MANY = 2_000;

/** `stopgate task add`: one task from the command line, or all tasks on stdin, in one transaction. */
export async function runAdd(title: string | undefined, options: AddOptions, world: TaskWorld): Promise<number> {
  const now = wallNow(world.clock);
  const writer = processWriter(() => {});
  const progress = progressOn(writer, world.clock.now);
  const defaults = await flagFields(options, now);
  const isPiped = title === undefined || title === '-';
  const times = timesOf(options);
  if (times !== null && isPiped) throw new UserError('--cron and --every need a title on the command line.');
  const items = isPiped ? await readPiped(options, progress) : [{ line: 1, fields: { title } }];
  await using store = await openTaskStore(options.store, world);
  const findId = (ref: string) => findTaskId(store, ref);
  const after = await Promise.all((options.after ?? []).map(findId));
  const planned = await planItems({ items, defaults, after, now, findId });
  const agent = agentHere(options.store, world);
  const placed = await inRepositories(planned, { agent, store, options, world });
  const tasks = byStoreClock(placed, await storeAheadMs(store, world.clock));
  refuseAgents(tasks, agent);
  await refuseJudgeAlone(tasks, options, world);
  if (times !== null && agent !== null)
    throw new UserError('An agent may not add recurring tasks; leave --cron and --every out.', TASK_EXIT.refused);
  const [first] = tasks;
  if (times !== null && first) return await addSchedule(store, first, { options, times, world });
  // one transaction, so there are no intermediate steps to show
  if (tasks.length >= MANY) progress.show('adding tasks:', tasks.length);
  const [skipped, wanted] = [items.filter(({ isDone }) => isDone), items.filter(({ isDone }) => !isDone)];
  const added = await addAll(store, tasks, wanted, world);
  progress.end();
  for (const { line, fields } of skipped)
    world.warn(`Line ${line} is marked as done, so it was skipped: ${fields.title}`);
  printAdded(added, options, world);
  warnOfPast(planned, now, world);
  await warnOfEnded(store, planned, world);
  return TASK_EXIT.done;
}

async function readPiped(options: AddOptions, progress: Progress): Promise<readonly TaskItem[]> {
  if (process.stdin.isTTY) throw new UserError('Name the task: stopgate task add "title", or pipe in a list of tasks.');
  if (options.body !== undefined || options.key !== undefined) {
    throw new UserError('--body and --key need a title on the command line; in a list, each task has its own.');
  }
  const piped = await readAllOfStdin({
    mostMegabytes: 500,
    advice: 'add the tasks in parts',
    onBytes: (bytes) => progress.show('reading bytes', bytes),
  });
  const text = piped.replace(/^\ufeff/, '');
  if (text.trim() === '') throw new UserError('Stdin is empty: pipe in a list of tasks, or give a title.');
  return text.trimStart().startsWith('{') ? readJsonLines(text) : readMarkdown(text);
}

async function flagFields(options: AddOptions, now: number): Promise<PlanFacts['defaults']> {
  const { body, priority, type, queue, delay, at, maxFailures, maxClaims, timeBudget, key, hold } = options;
  const { totalTime, maxBudgetUsd, tokenBudget } = options;
  const { repo, base } = options;
  const texts = { type, queue, delay, at, timeBudget, totalTime, hold, dedupeKey: key, repo, base };
  const concurrency = wholeNumber('--concurrency', options.concurrency, { least: 1, most: 1_000_000 });
  if (concurrency !== undefined && options.concurrencyKey === undefined)
    throw new UserError('--concurrency needs --concurrency-key.');
  const fields = {
    ...texts,
    maxBudgetUsd,
    tokenBudget,
    concurrencyKey: options.concurrencyKey,
    concurrency,
    verify: verifyOf(options),
    judge: options.judge && (await textFrom('--judge', options.judge)),
    body: body && (await textFrom('--body', body)),
    priority: wholeNumber('--priority', priority, { least: Number.NEGATIVE_INFINITY }),
    maxFailures: wholeNumber('--max-failures', maxFailures, { least: 1 }),
    maxClaims: wholeNumber('--max-claims', maxClaims, { least: 1 }),
  };
  return storeFields(fields, now, (name) => `--${name.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`);
}

function verifyOf({ verify }: AddOptions): string | undefined {
  if (verify === false) return NO_VERIFICATION;
  const empty = verify?.some((command) => command.trim() === '');
  if (empty) throw new UserError('--verify is empty; give a command, or --no-verify.');
  return verify?.join('\n');
}

interface Placing {
  readonly agent: Agent | null;
  readonly store: Store;
  readonly options: AddOptions;
  readonly world: TaskWorld;
}

/** With where the code of each task is; an agent's tasks are in the repository of its own task. */
async function inRepositories(tasks: readonly NewTask[], placing: Placing): Promise<readonly NewTask[]> {
  const { agent, store, options, world } = placing;
  if (agent !== null) {
    const own = await ownRepository(agent, store);
    const refusal = whyNotOwnRepository(tasks, own);
    if (refusal !== null) throw new UserError(refusal, TASK_EXIT.refused);
    return tasks.map((task) => ({ ...task, ...own }));
  }
  const isShared = chooseStorePlace({ flag: options.store, ...world }).type === 'postgres';
  const found = new Map<string, Promise<TaskRepository>>();
  const wishes = tasks.map(({ repository: repo, base }) => ({ repo, base }));
  const needsGit = worktreeOf(world.cwd) !== undefined;
  for (const wish of wishes) {
    const key = JSON.stringify(wish);
    if (found.has(key) || !(needsGit || wish.repo !== undefined || wish.base !== undefined)) continue;
    // loaded where there is a repository: it starts processes
    const { taskRepository } = await import('./taskRepository.ts');
    found.set(key, taskRepository(wish, { ...world, isShared }));
  }
  const places = new Map(await Promise.all([...found].map(async ([key, place]) => [key, await place] as const)));
  for (const warning of new Set([...places.values()].flatMap(({ warnings }) => warnings))) world.warn(warning);
  return tasks.map((task, at) => {
    const { repository: _repo, base: _base, ...rest } = task;
    const { warnings: _, ...place } = places.get(JSON.stringify(wishes[at])) ?? { warnings: [] };
    return { ...rest, ...place };
  });
}

/** Its commands would run outside of what an agent may run, and a task without any would escape the project's checks. */
function refuseAgents(tasks: readonly NewTask[], agent: Agent | null): void {
  if (tasks.every(({ verify, judge }) => verify === undefined && judge === undefined) || agent === null) return;
  const message = 'An agent may not decide how a task is verified; leave `verify` and `judge` out.';
  throw new UserError(message, TASK_EXIT.refused);
}

/** As far as it can be seen here; a worker that has no check of its own before the judge returns the task to a person. */
async function refuseJudgeAlone(tasks: readonly NewTask[], { repo }: AddOptions, { cwd }: TaskWorld): Promise<void> {
  const isAlone = ({ judge, verify }: NewTask) =>
    judge !== undefined && (verify ?? NO_VERIFICATION) === NO_VERIFICATION;
  const alone = tasks.find(isAlone);
  // a definition of done that is elsewhere is not known here
  if (alone === undefined || (repo !== undefined && alone.verify === undefined)) return;
  const { hasBlockingCheck } = await import('./blockingCheck.ts');
  if (alone.verify === undefined && (await hasBlockingCheck(cwd))) return;
  const instead =
    alone.verify === undefined
      ? 'give --verify "COMMAND", or add the task in a project with checks'
      : 'leave --no-verify out';
  throw new UserError(
    `A judge needs a command or check before it, because a model is never the only one that decides: ${instead}.`,
  );
}

/** A date with a typing mistake would otherwise start now what was meant for later. */
function warnOfPast(tasks: readonly NewTask[], now: number, { warn }: TaskWorld): void {
  const past = tasks.find(({ runAt }) => runAt !== undefined && runAt < now);
  if (past?.runAt === undefined) return;
  warn(`${timeOf(past.runAt)} is in the past, so the task "${past.title}" may start now.`);
}

/** Nothing ends the wait for them until a person queues them again. */
async function warnOfEnded(store: Store, tasks: readonly NewTask[], { warn }: TaskWorld): Promise<void> {
  const ids = new Set(tasks.flatMap(({ dependsOn = [] }) => dependsOn.filter((ref) => typeof ref === 'string')));
  for (const id of ids) {
    const outcome = available(await store.task({ id }));
    const state = outcome.type === 'found' ? outcome.task.state : null;
    if (state === 'dead' || state === 'cancelled')
      warn(`Task ${id} is ${state}: what waits for it starts only after \`stopgate task retry ${id}\`.`);
  }
}

const timeOf = (at: number) => `${new Date(at).toISOString().slice(0, 16)}Z`;

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
  items: readonly TaskItem[],
  { actor }: TaskWorld,
): Promise<readonly AddedTask[]> {
  const outcome = available(await store.addTasks({ tasks, actor }));
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

type Place = Pick<NewTask, 'repository' | 'base'>;

/** The repository of the task that an agent works on; tasks that it adds get the same. Empty when it has none. */
async function ownRepository(agent: Agent, store: Store): Promise<Place> {
  const supervisor = agent.supervisors.find(({ kind }) => kind === 'worker');
  const workerId = supervisor?.agentEnv?.[WORKER] ?? agent.envWorker;
  if (workerId === null) return {};
  const rows = available(await store.workers({ workerId })).workers;
  const row = rows.find((one) => isOwnProcess(agent, one)) ?? (agent.supervisors.length === 0 ? rows[0] : undefined);
  if (row?.taskId == null) return {};
  const found = available(await store.task({ id: row.taskId }));
  if (found.type !== 'found') return {};
  const { repository, base } = found.task;
  return { ...(repository !== null && { repository }), ...(base !== null && { base }) };
}

/**
 * Workers clone the repository of a task and run what is in it, so an agent may not choose another one. Nor another base: a server may
 * hand out commits of strangers by their ids.
 */
function whyNotOwnRepository(tasks: readonly Place[], own: Place): string | null {
  const isOther = (name: 'repository' | 'base') =>
    tasks.some((task) => task[name] !== undefined && task[name] !== own[name]);
  if (isOther('repository'))
    return 'An agent may not choose the repository of a task: it gets the one of the task that the agent works on; leave --repo out.';
  return isOther('base')
    ? 'An agent may not choose the base of a task: it gets the one of the task that the agent works on; leave --base out.'
    : null;
}
