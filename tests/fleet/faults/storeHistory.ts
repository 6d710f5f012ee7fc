import type { Store, StoreEvent } from '../../../src/store/types.ts';
import { available } from '../../../src/store/unavailable.ts';
import type { History } from './history.ts';

/** What a store has in the end, for a history. `apart`: what its times are ahead of those of the entries. */
export async function storeHistory(
  store: Store,
  apart: number,
): Promise<Pick<History, 'events' | 'tasks' | 'attempts'>> {
  const { tasks } = available(await store.listTasks({ limit: 100_000 }));
  const attempts = [];
  for (const { id } of tasks) attempts.push(...available(await store.attempts({ taskId: id })).attempts);
  const events = (await allEvents(store)).map((event) => ({ ...event, at: event.at - apart }));
  return { events, tasks, attempts };
}

async function allEvents(store: Store): Promise<StoreEvent[]> {
  const events: StoreEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.cursor;
    const page = available(await store.events({ limit: 1_000, ...(after !== undefined && { after }) })).events;
    if (page.length === 0) return events;
    events.push(...page);
  }
}
