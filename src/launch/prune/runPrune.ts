import type { Git } from '../../git/git.ts';
import { applyPrune, type PrunePlan, type PruneWish, planPrune } from '../../store/pruneStore.ts';
import type { Store, Unavailable } from '../../store/types.ts';
import type { LeftoverPlan } from './leftovers.ts';
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

/**
 * First the store, then what the removed tasks left on this machine: a task that could not be removed keeps everything. A run that
 * is killed in between leaves files, which later runs find only where another ref has their commits.
 */
export async function runPrune(run: PruneRun): Promise<PruneReport | Unavailable> {
  const { store, wish, signal, onStep, dryRun } = run;
  const about = await store.about();
  if (about.type === 'unavailable') return about;
  const plan = await planPrune(store, wish, { signal, onStep });
  if (plan.type === 'unavailable') return plan;
  const leftovers = await planLeftovers({ ...run, ...wish, location: about.location, tasks: plan.tasks });
  const { tasks, attempts, events } = plan;
  if (dryRun) return { type: 'dryRun', tasks, attempts, events, files: leftovers };
  const pruned = await applyPrune(store, plan, run);
  if (pruned.type === 'unavailable') return pruned;
  const gone = tasks.filter(({ id }) => pruned.ids.has(id));
  // planned again for what is really gone: a task may have been needed since
  const files =
    gone.length === tasks.length
      ? leftovers
      : await planLeftovers({ ...run, ...wish, location: about.location, tasks: gone });
  return { ...pruned, tasks: gone, files: await removeLeftovers(files, run) };
}
