import type { PrunableTask, Store, Unavailable } from './types.ts';

export interface PruneWish {
  readonly olderThanMs: number;
  /** Of the tasks that may go, this many stay: those that ended last. */
  readonly keep?: number | undefined;
  readonly dead?: boolean | undefined;
  readonly queue?: string | undefined;
}

/** What a run would remove; a dry run ends with it. */
export interface PrunePlan {
  readonly type: 'plan';
  readonly wish: PruneWish;
  readonly tasks: readonly PrunableTask[];
  readonly attempts: number;
  readonly events: number;
}

/** What was removed. Less than planned, when a task changed in the meantime. */
export interface Pruned {
  readonly type: 'pruned';
  readonly ids: ReadonlySet<string>;
  readonly attempts: number;
  readonly events: number;
}

interface Steps {
  readonly onStep?: ((action: 'reading' | 'removing', done: number, total?: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Tasks and events of one transaction: others wait for it, so it takes some milliseconds. */
const PAGE = 1_000;
const BATCH = 100;
const EVENTS = 2_000;

/** Reads pages until there are no more; changes nothing. */
export async function planPrune(
  store: Pick<Store, 'prunable' | 'trimEvents'>,
  wish: PruneWish,
  { onStep, signal }: Steps = {},
): Promise<PrunePlan | Unavailable> {
  const { keep = 0, ...ended } = wish;
  const found: PrunableTask[] = [];
  for (let after: string | null | undefined; after !== null && !signal?.aborted; ) {
    const page = await store.prunable({ ...ended, ...(after !== undefined && { after }), limit: PAGE });
    if (page.type === 'unavailable') return page;
    found.push(...page.tasks);
    after = page.next;
    onStep?.('reading', found.length);
    await breathe();
  }
  const tasks = withoutNewest(found, keep);
  const events = await trimAll(store, wish, { dryRun: true, signal });
  if (typeof events !== 'number') return events;
  const sum = (count: (task: PrunableTask) => number) => tasks.reduce((total, task) => total + count(task), 0);
  const ofTasks = sum((task) => task.events);
  return { type: 'plan', wish, tasks, attempts: sum(({ attempts }) => attempts), events: events + ofTasks };
}

function withoutNewest(tasks: readonly PrunableTask[], keep: number): readonly PrunableTask[] {
  if (keep === 0) return tasks;
  const newest = tasks.toSorted((one, other) => other.updatedAt - one.updatedAt).slice(0, keep);
  const kept = new Set(newest.map(({ id }) => id));
  return tasks.filter(({ id }) => !kept.has(id));
}

/** Removes what was planned, in small transactions, and records it. What is interrupted has removed what it had. */
export async function applyPrune(
  store: Pick<Store, 'prune' | 'trimEvents' | 'notePruned'>,
  { wish, tasks }: PrunePlan,
  { onStep, signal, actor, isPolicy }: Steps & { readonly actor: string; readonly isPolicy: boolean },
): Promise<Pruned | Unavailable> {
  const { olderThanMs, dead, queue } = wish;
  const ids = new Set<string>();
  let attempts = 0;
  for (let at = 0; at < tasks.length && !signal?.aborted; at += BATCH) {
    const batch = tasks.slice(at, at + BATCH).map(({ id }) => id);
    const outcome = await store.prune({ olderThanMs, dead, queue, ids: batch, actor });
    if (outcome.type === 'unavailable') return outcome;
    for (const id of outcome.ids) ids.add(id);
    attempts += outcome.attempts;
    onStep?.('removing', Math.min(at + BATCH, tasks.length), tasks.length);
    await breathe();
  }
  const events = await trimAll(store, wish, { dryRun: false, signal });
  if (typeof events !== 'number') return events;
  if (ids.size + events > 0) {
    const noted = await store.notePruned({ tasks: ids.size, attempts, events, olderThanMs, isPolicy, actor });
    if (noted.type === 'unavailable') return noted;
  }
  return { type: 'pruned', ids, attempts, events };
}

async function trimAll(
  store: Pick<Store, 'trimEvents'>,
  { olderThanMs }: PruneWish,
  { dryRun, signal }: { readonly dryRun: boolean; readonly signal?: AbortSignal | undefined },
): Promise<number | Unavailable> {
  let count = 0;
  for (let after: string | null | undefined; after !== null && !signal?.aborted; ) {
    const batch = await store.trimEvents({ olderThanMs, ...(after !== undefined && { after }), limit: EVENTS, dryRun });
    if (batch.type === 'unavailable') return batch;
    count += batch.count;
    after = batch.next;
    await breathe();
  }
  return count;
}

/** A store in this process answers without a break in which others could be served. */
const breathe = () => new Promise<void>((resolve) => setImmediate(resolve));
