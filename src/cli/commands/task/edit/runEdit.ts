import path from 'node:path';
import { NO_VERIFICATION } from '../../../../store/verification.ts';
import { ownValue } from '../../../../system/ownValue.ts';
import { UserError } from '../../../../system/userError.ts';
import { available, type Outcomes, type Requests, type TaskDetail } from '../../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../../wiring/store/openTaskStore.ts';
import { chooseStorePlace } from '../../../wiring/store/storePlace.ts';
import { printAnswer, type TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { findTask } from '../findTask.ts';
import { durationMs, textFrom, wholeNumber } from '../readFlags.ts';
import type { CommonOptions, Flags } from '../taskOptions.ts';

type EditOptions = CommonOptions &
  Flags<'title' | 'body' | 'note' | 'priority' | 'queue' | 'timeBudget' | 'totalTime' | 'repo' | 'base'> &
  Flags<'concurrencyKey' | 'concurrency' | 'judge'> & {
    readonly maxBudgetUsd?: number;
    readonly tokenBudget?: number;
    readonly without?: readonly string[];
  };

type Wish = Omit<Requests['amendTask'], 'taskId' | 'actor'>;

/** `stopgate task edit`: changes an open task; one that a worker has keeps its limits until its next attempt. */
export async function runEdit(id: string, options: EditOptions, world: TaskWorld): Promise<number> {
  const wish = { ...(await wishOf(options)), ...(await repositoryOf(options, world)) };
  const note = options.note === undefined ? undefined : await textFrom('--note', options.note);
  if (note === undefined && Object.values(wish).every((value) => value === undefined)) {
    throw new UserError(
      'Nothing to change: give --title, --body, --note, --priority, --queue, --repo, --base, --judge, a budget or a concurrency key.',
    );
  }
  await using store = await openTaskStore(options.store, world);
  const task = await findTask(store, id);
  if (wish.judge?.trim() === '') throw new UserError('--judge is empty; `--without judge` removes it.');
  if (wish.judge && task.verify === NO_VERIFICATION)
    throw new UserError(`Task ${task.id} is not verified, and a judge needs a command or check before it.`);
  if (wish.judge && task.verify === null && !(await mayHaveChecks(wish.repository ?? task.repository, world.cwd)))
    throw new UserError(
      `Task ${task.id} names no command, and its project has no check: a judge needs one before it; cancel the task and add it with --verify "COMMAND".`,
    );
  if (wish.base && wish.repository === undefined && task.repository === null)
    throw new UserError(`--base needs a repository, and task ${task.id} has none; name it with --repo.`);
  const { body = note === undefined ? undefined : task.body, ...others } = wish;
  const words = { ...others, body: note === undefined ? body : withNote(body ?? '', note) };
  const outcome = available(await store.amendTask({ taskId: task.id, ...words, actor: world.actor }));
  const isFine = outcome.type === 'amended' || outcome.type === 'unchanged';
  const sentence = `Task ${task.id} ${describe(outcome, task)}`;
  return printAnswer(world, options, { outcome: { taskId: task.id, ...outcome }, sentence, isFine });
}

const withNote = (body: string, note: string) => [body.trimEnd(), `Note: ${note.trim()}`].filter(Boolean).join('\n\n');

async function wishOf(options: EditOptions): Promise<Wish> {
  const { title, body, priority, queue, maxBudgetUsd, tokenBudget, without = [] } = options;
  return {
    title,
    queue,
    body: body === undefined ? undefined : await textFrom('--body', body),
    priority: wholeNumber('--priority', priority, { least: Number.NEGATIVE_INFINITY }),
    timeBudgetMs: durationMs('--time-budget', options.timeBudget),
    totalTimeMs: durationMs('--total-time', options.totalTime),
    costBudgetUsd: maxBudgetUsd,
    tokenBudget,
    concurrencyKey: options.concurrencyKey,
    judge: options.judge === undefined ? undefined : await textFrom('--judge', options.judge),
    concurrencyLimit: wholeNumber('--concurrency', options.concurrency, { least: 1, most: 1_000_000 }),
    ...Object.fromEntries(without.map((name) => [removed(name, options), null])),
  };
}

/** As `task add` reads them. */
async function repositoryOf(
  { repo, base, store }: EditOptions,
  world: TaskWorld,
): Promise<Pick<Wish, 'repository' | 'base'>> {
  if (repo === undefined && base === undefined) return {};
  const { plainBase, taskRepository } = await import('../add/taskRepository.ts');
  if (repo === undefined) return { base: plainBase(base ?? '') };
  const isShared = chooseStorePlace({ flag: store, ...world }).type === 'postgres';
  const { warnings, ...found } = await taskRepository({ repo, base }, { ...world, isShared });
  for (const warning of warnings) world.warn(warning);
  return { repository: found.repository, base: found.base ?? null };
}

/** False only where a project is here and has no definition of done; what a remote has is not known. */
async function mayHaveChecks(repository: string | null, cwd: string): Promise<boolean> {
  if (repository !== null && !path.isAbsolute(repository)) return true;
  const { hasBlockingCheck } = await import('../add/blockingCheck.ts');
  return hasBlockingCheck(repository ?? cwd);
}

const BUDGETS: Readonly<Record<string, keyof Wish>> = {
  'time-budget': 'timeBudgetMs',
  'total-time': 'totalTimeMs',
  'max-budget-usd': 'costBudgetUsd',
  'token-budget': 'tokenBudget',
  'concurrency-key': 'concurrencyKey',
  judge: 'judge',
};

function removed(text: string, given: EditOptions): keyof Wish {
  const name = text.replace(/^--/, '');
  const field = ownValue(BUDGETS, name);
  const flag = name.replace(/-\w/g, ([, letter = '']) => letter.toUpperCase()) as keyof EditOptions;
  if (field !== undefined && given[flag] !== undefined)
    throw new UserError(`--${name} and --without ${name} exclude each other; give one.`);
  if (field !== undefined) return field;
  throw new UserError(`--without names what to remove: ${Object.keys(BUDGETS).join(', ')}; got "${text}".`);
}

type Amended = Exclude<Outcomes['amendTask'], { type: 'unavailable' }>;

function describe(outcome: Amended, { state }: TaskDetail): string {
  if (outcome.type === 'amended')
    return state === 'claimed'
      ? `is changed; a worker has it, and new limits apply to its next attempt.`
      : 'is changed.';
  if (outcome.type === 'unchanged') return 'is already like that.';
  if (outcome.type === 'unknownTask') return 'no longer exists.';
  if (outcome.reason === 'invalid') return `was not changed: ${outcome.problem}`;
  return outcome.reason === 'state' ? `cannot be changed: it is ${outcome.state}.` : 'was not changed.';
}
