import type { Requests } from './requests.ts';
import type { Task } from './task.ts';
import type { Store } from './types.ts';
import { available } from './unavailable.ts';

const PAGE = 500;

/** Every task that the filters name, page by page. */
export async function allTasks(store: Store, wish: Requests['listTasks']): Promise<readonly Task[]> {
  const found: Task[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = available(await store.listTasks({ ...wish, after, limit: PAGE }));
    found.push(...page.tasks);
    after = page.next;
  }
  return found;
}
