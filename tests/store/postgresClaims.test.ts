import postgres from 'postgres';
import { expect, it } from 'vitest';
import { planBatch } from '../../src/store/planBatch.ts';
import { watchAnswers } from '../../src/store/postgres/watchAnswers.ts';
import type { Lease, Store } from '../../src/store/types.ts';
import { available } from '../../src/store/unavailable.ts';
import { add, claim, type TestWorker, worker } from '../../src/testing/storeContract/steps.ts';
import { databaseOfThisFile } from './support/postgresStores.ts';

const START = Date.UTC(2026, 0, 1);
const { within: within5s } = watchAnswers(5_000);
const database = databaseOfThisFile();

it('a claim passes by a task that somebody is just taking, and waits for nobody', async () => {
  await using schema = await database.schema(START);
  const store = await schema.open();
  const [first, second] = await add(store, { title: 'first', type: 'a' }, { title: 'second', type: 'a' });
  const [one, two] = [await worker(store, 'w1'), await worker(store, 'w2')];
  const sql = postgres(database.server.url, { max: 1, fetch_types: false });
  await sql.begin(async (transaction) => {
    await transaction.unsafe(`SELECT ${schema.name}.lock_task('${first}')`);
    expect((await within5s(claim(store, one))).task.id).toBe(second);
    const nothing = store.claim({ ...two, claimKey: 'k', types: ['a'] });
    expect(await within5s(nothing)).toMatchObject({ type: 'empty' });
  });
  await sql.end();
  expect((await claim(store, two)).task.id).toBe(first);
});

/** Left to itself, the planner may choose a plan that runs a subquery again for each row, and locks another task each time. */
const WORST_PLAN = ['hashjoin', 'mergejoin', 'material', 'memoize', 'hashagg', 'sort', 'indexonlyscan'];

it.each([
  ['any type', undefined],
  ['one type', ['task']],
])('a claim of %s takes one task, whatever plan it runs by', async (_, types) => {
  await using schema = await database.schema(START);
  const sql = postgres(database.server.url, { max: 1, fetch_types: false });
  for (const name of WORST_PLAN) await sql.unsafe(`ALTER DATABASE postgres SET enable_${name} = off`);
  try {
    const store = await schema.open();
    await add(store, ...Array.from({ length: 50 }, (__, n) => `task ${n}`));
    await sql.unsafe(`ANALYZE ${schema.name}.tasks, ${schema.name}.ready`);
    expect((await claim(store, await worker(store), { types })).task.title).toBe('task 0');
    expect(available(await store.counts())).toMatchObject({ claimed: 1, ready: 49 });
  } finally {
    for (const name of WORST_PLAN) await sql.unsafe(`ALTER DATABASE postgres RESET enable_${name}`);
    await sql.end();
  }
});

/** Runs `work` while a transaction that said `text` has not ended yet. */
async function whileOpen(text: string, work: () => Promise<object>): Promise<object> {
  const sql = postgres(database.server.url, { max: 1, fetch_types: false });
  let pending: Promise<object> | undefined;
  await sql.begin(async (transaction) => {
    await transaction.unsafe(text);
    pending = work();
    const blocked = `SELECT 1 FROM pg_locks WHERE NOT granted`;
    await expect.poll(async () => (await transaction.unsafe(blocked)).length).toBeGreaterThan(0);
  });
  await sql.end();
  return pending as Promise<object>;
}

it.each([
  ['claim', (store: Store, by: TestWorker) => store.claim({ ...by, claimKey: 'k' })],
  ['completion', (store: Store, _: TestWorker, lease: Lease) => store.complete({ lease, result: 'done' })],
  [
    'completion that takes the next',
    (store: Store, _: TestWorker, lease: Lease) => store.complete({ lease, result: 'done', next: { claimKey: 'k' } }),
  ],
])('a %s that meets the beginning of a move waits for it, and changes nothing', async (name, ask) => {
  await using schema = await database.schema(START);
  const store = await schema.open();
  await add(store, 'first', 'second', 'third');
  const by = await worker(store);
  const { lease } = await claim(store, by);
  const idle = name === 'claim' ? await worker(store, 'w2') : by;
  const outcome = await whileOpen(`SELECT ${schema.name}.start_move('{"to":"elsewhere","from":"here"}')`, () =>
    ask(store, idle, lease),
  );
  expect(outcome).toMatchObject({ type: 'unavailable', cause: 'moved' });
  expect(available(await store.counts())).toMatchObject({ claimed: 1, ready: 2, done: 0 });
});

it('a completion sees who began to wait for the task a moment before', async () => {
  await using schema = await database.schema(START);
  const store = await schema.open();
  await add(store, { id: 'base', title: 'base' });
  const { lease } = await claim(store, await worker(store));
  // only words, so that both have something in hand when they meet
  const added = planBatch([{ id: 'waits', title: 'waits', dependsOn: ['base'] }]);
  if (added.type !== 'planned') throw new Error(added.reason);
  const request = JSON.stringify({ tasks: added.tasks });
  const outcome = await whileOpen(`SELECT ${schema.name}.add_tasks('${request}')`, () =>
    store.complete({ lease, result: 'done', next: { claimKey: 'k' } }),
  );
  expect(outcome).toMatchObject({ type: 'accepted', next: { type: 'claimed', task: { id: 'waits' } } });
});
