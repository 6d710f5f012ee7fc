import { expect, it } from 'vitest';
import type { Spend } from '../../hosts/host.ts';
import { openSqliteStore } from '../../store/sqlite/openFile.ts';
import { claim, worker } from '../../testing/storeContract/steps.ts';
import { attemptsOf } from '../../testing/storeContract/storeCase.ts';
import { spendOfAttempts } from './spendOfAttempts.ts';

it('divides what one agent spends among its attempts, also after they were settled', async () => {
  const store = openSqliteStore({ path: ':memory:' });
  if ('type' in store) throw new Error(store.reason);
  await using _closing = store;
  await store.addTasks({ tasks: [{ title: 'a' }, { title: 'b' }] });
  const by = await worker(store);
  let total: Spend = { outputTokens: 0, usd: 0 };
  let now = 0;
  const spend = spendOfAttempts(store, () => now);
  const first = await claim(store, by);
  spend.start(first.lease, () => total);
  total = { outputTokens: 100, usd: 0.5 };
  expect(spend.details()).toEqual({ tokens: 100, costUsd: 0.5 });
  await spend.holds(first.lease);
  const detailsOf = async (taskId: string) => (await attemptsOf(store, taskId))[0]?.details;
  // no report for each heartbeat: each is an event
  expect(await detailsOf(first.task.id)).toEqual({});
  now += 5 * 60_000;
  await spend.holds(first.lease);
  expect(await detailsOf(first.task.id)).toEqual({ tokens: 100, costUsd: 0.5 });
  // the agent settles its task and goes on to the next
  await store.complete({ lease: first.lease, result: 'done' });
  const second = await claim(store, by);
  total = { outputTokens: 130, usd: 0.75 };
  await spend.holds(second.lease);
  expect(await detailsOf(first.task.id)).toEqual({ tokens: 130, costUsd: 0.75 });
  total = { outputTokens: 170, usd: null };
  await spend.end();
  expect(await detailsOf(second.task.id)).toEqual({ tokens: 40 });
  expect(spend.details()).toEqual({});
});
