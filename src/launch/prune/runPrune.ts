import { hash, randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Git } from '../../git/git.ts';
import { readJsonFile } from '../../schemas/jsonFile.ts';
import { prunedTasks } from '../../schemas/prunedTasks.ts';
import { applyPrune, type PrunePlan, type PruneWish, planPrune } from '../../store/pruneStore.ts';
import type { Store, Unavailable } from '../../store/types.ts';
import { writePrivateFile } from '../../system/atomicFile.ts';
import { attempt } from '../../system/attempt.ts';
import { definedOnly } from '../../system/definedOnly.ts';
import type { EndedTask, LeftoverPlan } from './leftovers.ts';
import { branchRef } from './ownNames.ts';
import { planLeftovers, removeLeftovers } from './pruneLeftovers.ts';

export interface PruneRun {
  readonly store: Store;
  readonly git: Git;
  readonly cwd: string;
  readonly stopgateHome: string;
  /** The machine's time. */
  readonly now: number;
  readonly wish: PruneWish;
  readonly unmerged: boolean;
  readonly dryRun: boolean;
  readonly actor: string;
  readonly isPolicy: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: (action: 'reading' | 'removing', done: number, total?: number) => void;
}

/** What was removed, or would be. */
export interface PruneReport {
  readonly type: 'dryRun' | 'pruned';
  readonly tasks: PrunePlan['tasks'];
  readonly attempts: number;
  readonly events: number;
  readonly files: LeftoverPlan;
}

/** Nothing was removed: what the store would forget could not be written down before. */
export interface NotNoted {
  readonly type: 'notNoted';
  readonly reason: string;
}

/**
 * First the store, then what the removed tasks left on this machine: a task that could not be removed keeps everything. What the store
 * is about to forget is noted before, so that a later run finds what a killed one left, or what had to stay.
 */
export async function runPrune(run: PruneRun): Promise<PruneReport | NotNoted | Unavailable> {
  const { store, wish, signal, onStep, dryRun, stopgateHome } = run;
  const about = await store.about();
  if (about.type === 'unavailable') return about;
  const { location } = about;
  const locations = [location, ...about.movedFrom];
  const plan = await planPrune(store, wish, { signal, onStep });
  if (plan.type === 'unavailable') return plan;
  const noted = await openPrunedTasks(stopgateHome, location);
  const { tasks, attempts, events } = plan;
  if (dryRun) {
    const { gone } = await splitGone(store, noted.earlier);
    const files = await planLeftovers({ ...run, ...wish, locations, tasks: [...gone, ...tasks] });
    return { type: 'dryRun', tasks, attempts, events, files };
  }
  const reason = await noted.note(tasks);
  if (reason !== null) return { type: 'notNoted', reason };
  const pruned = await applyPrune(store, plan, run);
  if (pruned.type === 'unavailable') return pruned;
  const removed = tasks.filter(({ id }) => pruned.ids.has(id));
  const { gone, still } = await splitGone(store, noted.earlier);
  // only for what is really gone: a task may have been needed since
  const all = [...gone.filter(({ id }) => !pruned.ids.has(id)), ...removed];
  const found = await planLeftovers({ ...run, ...wish, locations, tasks: all });
  const files = await removeLeftovers(await withoutReused(store, found), run);
  await noted.settle([...still, ...withMore(all, files)]);
  return { ...pruned, tasks: removed, files };
}

interface Split {
  readonly gone: readonly EndedTask[];
  /** The store has them, or does not answer. */
  readonly still: readonly EndedTask[];
}

/** A run that was killed may have noted what its store still has. */
async function splitGone(store: Pick<Store, 'task'>, tasks: readonly EndedTask[]): Promise<Split> {
  const gone: EndedTask[] = [];
  const still: EndedTask[] = [];
  for (const task of tasks) ((await store.task({ id: task.id })).type === 'unknownTask' ? gone : still).push(task);
  return { gone, still };
}

/** The id of a removed task is free: a new task may have it by now, and its worker the same names. */
async function withoutReused(store: Pick<Store, 'task'>, { remove, keep }: LeftoverPlan): Promise<LeftoverPlan> {
  const reused = new Set<string>();
  const ids = new Set(remove.flatMap(({ kind, taskId }) => (kind === 'settlement' || taskId === '' ? [] : [taskId])));
  for (const id of ids) if ((await store.task({ id })).type !== 'unknownTask') reused.add(id);
  const why = 'the store has a task of this id again, or does not answer';
  const kept = remove.filter(({ kind, taskId }) => kind !== 'settlement' && reused.has(taskId));
  return {
    remove: remove.filter((one) => !kept.includes(one)),
    keep: [...keep, ...kept.map(({ kind, name, taskId }) => ({ kind, name, taskId, why }))],
  };
}

/** Tasks of which something stays, or whose branch is in a repository that was not looked at. */
function withMore(tasks: readonly EndedTask[], { remove, keep }: LeftoverPlan): readonly EndedTask[] {
  const kept = new Set(keep.map(({ taskId }) => taskId));
  const removed = new Set(remove.map(({ name }) => name));
  const isRemoved = (id: string, epoch: number) => removed.has(branchRef(id, epoch));
  return tasks.filter(
    ({ id, left }) => kept.has(id) || left.some(({ branch, epoch }) => branch !== undefined && !isRemoved(id, epoch)),
  );
}

/** What a store no longer knows, and this machine may still have. */
interface PrunedTasks {
  /** Of earlier runs, also of runs that were killed. */
  readonly earlier: readonly EndedTask[];
  /** Durable when it resolves, before the store forgets them. Returns why it could not be written; null when it was. */
  note(tasks: readonly EndedTask[]): Promise<string | null>;
  /** These are left; whatever was noted before is replaced. */
  settle(tasks: readonly EndedTask[]): Promise<void>;
}

/** One file per run, so that two at a time do not overwrite each other. A damaged file proves nothing, and is left alone. */
async function openPrunedTasks(stopgateHome: string, location: string): Promise<PrunedTasks> {
  const folder = path.join(stopgateHome, 'pruned');
  const start = `${hash('sha256', location).slice(0, 16)}-`;
  const used: string[] = [];
  const written: string[] = [];
  const earlier = new Map<string, EndedTask>();
  for (const name of attempt(() => readdirSync(folder), [])) {
    if (!name.startsWith(start) || !name.endsWith('.json')) continue;
    const file = path.join(folder, name);
    const read = await readJsonFile(file, prunedTasks);
    if (read?.location !== location) continue;
    used.push(file);
    for (const { id, epoch, left } of read.tasks)
      earlier.set(id, { id, epoch, left: left.map((one) => ({ epoch: 0, ...definedOnly(one) })) });
  }
  const write = async (tasks: readonly EndedTask[]): Promise<string | null> => {
    if (tasks.length === 0) return null;
    const named = tasks.map(({ id, epoch, left }) => ({ id, epoch, left }));
    const file = path.join(folder, `${start}${randomBytes(8).toString('hex')}.json`);
    try {
      await writePrivateFile(file, `${JSON.stringify({ location, tasks: named })}\n`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return `Nothing was removed: what tasks left on this machine could not be noted in ${folder} (${why}).`;
    }
    written.push(file);
    return null;
  };
  return {
    earlier: [...earlier.values()],
    note: write,
    settle: async (tasks) => {
      const before = [...used, ...written];
      // what could not be written again stays noted as it was
      if ((await write(tasks)) !== null) return;
      for (const file of before) attempt(() => rmSync(file, { force: true }), undefined);
    },
  };
}
