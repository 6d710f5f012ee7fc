import type { Store } from '../../store/types.ts';

/** What a task that this one depends on came out with. */
export interface EarlierResult {
  readonly taskId: string;
  readonly title: string;
  readonly result: string;
}

/** More would not fit into a prompt; the rest is named. */
const MOST = 5;

/** The results of the tasks that a task depends on, and the ids of those that are not shown. Empty when the store does not answer. */
export async function earlierResults(
  store: Store,
  taskId: string,
): Promise<{ readonly results: readonly EarlierResult[]; readonly others: readonly string[] }> {
  const asked = await store.task({ id: taskId });
  const done = asked.type === 'found' ? asked.task.dependsOn.filter(({ state }) => state === 'done') : [];
  const results: EarlierResult[] = [];
  for (const { taskId: id } of done.slice(0, MOST)) {
    const found = await store.task({ id });
    if (found.type === 'found') results.push({ taskId: id, title: found.task.title, result: found.task.result ?? '' });
  }
  return { results, others: done.slice(MOST).map((one) => one.taskId) };
}
