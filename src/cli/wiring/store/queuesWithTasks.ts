import { available, type Store } from './openedStore.ts';

const MOST_READ = 500;

/** The latest tasks are enough to show a typing mistake. */
async function queuesWithTasks(store: Store): Promise<readonly string[]> {
  const { tasks } = available(await store.listTasks({ order: 'newest', limit: MOST_READ }));
  return [...new Set(tasks.map(({ queue }) => queue))].toSorted();
}

/** Null for a queue that has tasks, and where no queue has any. */
export async function whyEmptyQueue(store: Store, queue: string): Promise<string | null> {
  const queues = await queuesWithTasks(store);
  if (queues.length === 0 || queues.includes(queue)) return null;
  return `The queue ${queue} has no tasks; there are some in ${queues.join(', ')}.`;
}
