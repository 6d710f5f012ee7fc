import { keptFor } from '../../../../store/outbox/deliverKept.ts';
import { openOutbox } from '../../../../store/outbox/outbox.ts';
import {
  available,
  type Outcomes,
  type Store,
  type Task,
  type TaskDependency,
  type TaskStatus,
  type Worker,
} from '../../../wiring/store/openedStore.ts';

interface TasksWanted {
  readonly statuses?: readonly TaskStatus[] | undefined;
  readonly queue?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly limit: number;
}

export type ListedTask = ReturnType<typeof listed>;
export type TaskPage = Awaited<ReturnType<typeof gatherTasks>>;

/** In the order of the list; each group fills what the limit leaves. */
const GROUPS = [
  { among: ['claimed', 'verifying'], order: 'oldest' },
  { among: ['ready'], order: 'oldest' },
  { among: ['delayed', 'blocked', 'held'], order: 'oldest' },
  { among: ['done', 'dead', 'cancelled'], order: 'newest' },
] as const;

export async function gatherTasks(store: Store, wanted: TasksWanted, stopgateHome: string) {
  const { now, movedTo, location } = available(await store.about());
  const kept = await keptFor(store, openOutbox(stopgateHome), location);
  const found = await tasksInGroups(store, wanted);
  const { type: _type, ...counts } = available(await store.counts({ queue: wanted.queue }));
  const { workers } = available(await store.workers({ running: true }));
  const paused = await pausedQueues(store, found);
  const limits = await limitsFor(store, found);
  const shown = found.slice(0, wanted.limit);
  const stuck = await stuckTasks(store, shown);
  const tasks = shown.map((task) => listed(task, workers, { paused, limits, stuck }));
  return { now, tasks, counts, isCut: found.length > wanted.limit, movedTo, kept };
}

async function tasksInGroups(store: Store, { statuses, queue, types, limit }: TasksWanted): Promise<Task[]> {
  const found: Task[] = [];
  for (const { among, order } of GROUPS) {
    const chosen = among.filter((status) => statuses === undefined || statuses.includes(status));
    const room = limit + 1 - found.length;
    if (chosen.length === 0 || room <= 0) continue;
    const page = available(await store.listTasks({ statuses: chosen, queue, types, order, limit: room }));
    found.push(...page.tasks);
  }
  return found;
}

async function pausedQueues(store: Store, tasks: readonly Task[]): Promise<ReadonlySet<string>> {
  const queues = new Set(tasks.filter(({ status }) => status === 'ready').map(({ queue }) => queue));
  const paused = new Set<string>();
  for (const queue of queues) if (available(await store.readiness({ queue })).queuePaused) paused.add(queue);
  return paused;
}

type Limits = Exclude<Outcomes['limits'], { type: 'unavailable' }>;

async function limitsFor(store: Store, tasks: readonly Task[]): Promise<Limits | null> {
  return tasks.some(({ status }) => status === 'ready') ? available(await store.limits()) : null;
}

/** What keeps a task back that is ready: the limit of its queue, or its key; null when nothing does. */
export function whyLimited(
  task: Pick<Task, 'status' | 'queue' | 'concurrencyKey' | 'concurrencyLimit'>,
  limits: Limits | null,
) {
  if (task.status !== 'ready' || limits === null) return null;
  const queue = limits.queues.find((one) => one.queue === task.queue);
  if (queue && queue.inProgress >= queue.limit) return `queue limit: ${queue.inProgress} of ${queue.limit} in progress`;
  const used = limits.keys.find(({ key }) => key === task.concurrencyKey)?.inProgress ?? 0;
  const most = task.concurrencyLimit ?? 1;
  return task.concurrencyKey !== null && used >= most
    ? `key ${task.concurrencyKey}: ${used} of ${most} in progress`
    : null;
}

/** Each is read by itself. */
const MOST_READ = 50;

/** Of blocked tasks, what they wait for in vain: another task that is dead or cancelled, until a person queues it again. */
async function stuckTasks(store: Store, tasks: readonly Task[]): Promise<Obstacles['stuck']> {
  const stuck = new Map<string, TaskDependency>();
  for (const { id } of tasks.filter(({ status }) => status === 'blocked').slice(0, MOST_READ)) {
    const outcome = available(await store.task({ id }));
    const found = outcome.type === 'found' ? outcome.task.dependsOn.find(isInVain) : undefined;
    if (found !== undefined) stuck.set(id, found);
  }
  return stuck;
}

const isInVain = ({ met, state }: TaskDependency) => !met && (state === 'dead' || state === 'cancelled');

interface Obstacles {
  readonly stuck: ReadonlyMap<string, TaskDependency>;
  readonly paused: ReadonlySet<string>;
  readonly limits: Limits | null;
}

function listed(task: Task, workers: readonly Worker[], { paused, limits, stuck }: Obstacles) {
  const isPaused = task.status === 'ready' && paused.has(task.queue);
  const holder =
    task.state === 'claimed' ? (workers.find(({ taskId }) => taskId === task.id)?.id ?? null) : task.verifyHolder;
  const shownStatus: TaskStatus | 'paused' = isPaused ? 'paused' : task.status;
  const limitedBy = whyLimited(task, limits);
  return { ...task, shownStatus, holder, starts: task.epoch, limitedBy, stuckOn: stuck.get(task.id) ?? null };
}
