import { expect, it } from 'vitest';
import { fakeClock } from '../../testing/fakeClock.ts';
import { add, claim, worker } from '../../testing/storeContract/steps.ts';
import type { Store } from '../types.ts';
import { available } from '../unavailable.ts';
import { openSqliteStore } from './openFile.ts';

function memoryStore(): Store {
  const store = openSqliteStore({ path: ':memory:', clock: fakeClock(1_000) });
  if ('type' in store) throw new Error(store.reason);
  return store;
}

const kindsOf = async (store: Store, taskId: string, newest = false) =>
  available(await store.events({ taskId, newest })).events.map(({ kind }) => kind);

it('finds the events and attempts of each task again where they were moved to', async () => {
  await using from = memoryStore();
  await using to = memoryStore();
  const by = await worker(from);
  const [failed, done] = (await add(from, 'failed', 'done')) as [string, string];
  const first = await claim(from, by, { taskId: failed });
  await from.fail({ lease: first.lease, error: 'x', retryAfterMs: 0 });
  const second = await claim(from, by, { taskId: done });
  await from.complete({ lease: second.lease, result: 'y' });
  await to.importAll(from.exportAll());
  expect(await kindsOf(to, failed)).toEqual(['task.added', 'task.claimed', 'task.failed']);
  expect(await kindsOf(to, done, true)).toEqual(['task.completed', 'task.claimed', 'task.added']);
  expect(await to.attempts({ taskId: done })).toEqual(await from.attempts({ taskId: done }));
  await claim(to, await worker(to), { taskId: failed });
  expect(await kindsOf(to, failed)).toEqual(['task.added', 'task.claimed', 'task.failed', 'task.claimed']);
  expect(await to.attempts({ taskId: failed })).toMatchObject({ attempts: [{ epoch: 1 }, { epoch: 2 }] });
});
