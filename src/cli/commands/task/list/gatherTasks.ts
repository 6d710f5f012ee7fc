import { keptFor } from '../../../../store/outbox/deliverKept.ts';
import { openOutbox } from '../../../../store/outbox/outbox.ts';
import { available, type Store, type Task, type TaskStatus, type Worker } from '../../../wiring/store/openedStore.ts';

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
  const kept = await keptFor(openOutbox(stopgateHome), location);
  const found = await tasksInGroups(store, wanted);
  const { type: _type, ...counts } = available(await store.counts({ queue: wanted.queue }));
  const { workers } = available(await store.workers({ running: true }));
  const paused = await pausedQueues(store, found);
  const tasks = found.slice(0, wanted.limit).map((task) => listed(task, workers, paused));
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

function listed(task: Task, workers: readonly Worker[], paused: ReadonlySet<string>) {
  const isPaused = task.status === 'ready' && paused.has(task.queue);
  const holder =
    task.state === 'claimed' ? (workers.find(({ taskId }) => taskId === task.id)?.id ?? null) : task.verifyHolder;
  const shownStatus: TaskStatus | 'paused' = isPaused ? 'paused' : task.status;
  return { ...task, shownStatus, holder, starts: task.epoch };
}
