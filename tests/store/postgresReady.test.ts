import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { expect, it } from 'vitest';
import { keepReadyShort } from '../../src/store/postgres/postgresStore.ts';
import type { ClaimOutcome, Store } from '../../src/store/types.ts';
import { add, claim, newKey, worker } from '../../src/testing/storeContract/steps.ts';
import { chance } from '../support/random.ts';
import { sizeOf } from '../support/testSize.ts';
import { databaseOfThisFile } from './support/postgresStores.ts';

const START = Date.UTC(2026, 0, 1);
const database = databaseOfThisFile();

const CLAIMED = sizeOf({ small: 500, full: 1_500 });
/** By each of four people. */
const CHANGES = sizeOf({ small: 130, full: 400 });

const WRONG = `
  SELECT t.id FROM stopgate.tasks t FULL JOIN stopgate.ready r ON r.task_seq = t.seq
    WHERE (r.task_seq IS NOT NULL) IS DISTINCT FROM (stopgate.place_of(t.state, t.unmet, t.hold_reason) IS NOT DISTINCT FROM 'ready')
  UNION ALL SELECT t.id FROM stopgate.tasks t JOIN stopgate.apart a ON a.task_seq = t.seq
    WHERE a.place IS DISTINCT FROM stopgate.place_of(t.state, t.unmet, t.hold_reason)`;

/** One after the other, as a worker of a fleet does, until there is nothing. */
async function workThrough(store: Store, workerId: string, taken = () => {}): Promise<string[]> {
  const by = await worker(store, workerId);
  const done: string[] = [];
  let outcome: ClaimOutcome | undefined = await store.claim({ ...by, claimKey: newKey() });
  while (outcome?.type === 'claimed') {
    const { lease } = outcome;
    taken();
    const completed = await store.complete({ lease, result: 'x', next: { claimKey: newKey() } });
    if (completed.type === 'accepted') done.push(lease.taskId);
    else expect(completed).toMatchObject({ type: 'cancelled' });
    outcome = completed.type === 'accepted' ? completed.next : await store.claim({ ...by, claimKey: newKey() });
  }
  expect(outcome).toMatchObject({ type: 'empty' });
  return done;
}

it('people change tasks while they are claimed, and nobody waits for somebody who waits for him', {
  timeout: 60_000,
}, async () => {
  await using schema = await database.schema(START);
  const deadlocks = async () => {
    const [row] = await schema.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
    return Number(row?.deadlocks);
  };
  const before = await deadlocks();
  const stores = await Promise.all(Array.from({ length: 9 }, () => schema.open()));
  const ids = await add(stores[0] as Store, ...Array.from({ length: CLAIMED }, (_, n) => `task ${n}`));
  const luck = chance(20_261_116);
  const people: ((store: Store, taskId: string) => Promise<object>)[] = [
    async (store, taskId) => {
      await store.hold({ taskId });
      return store.unhold({ taskId });
    },
    (store, taskId) => store.amendTask({ taskId, title: 'other words' }),
    (store, taskId) => store.cancel({ taskId }),
    (store, taskId) => store.addTasks({ tasks: [{ title: 'waits', dependsOn: [taskId], onDependencyFailure: 'run' }] }),
    async (store, taskId) => {
      const by = await worker(store, `by name ${randomUUID()}`);
      const outcome = await store.claim({ ...by, claimKey: newKey(), taskId });
      return outcome.type === 'claimed' ? store.complete({ lease: outcome.lease, result: 'x' }) : outcome;
    },
  ];
  let front = 0;
  const taken = () => {
    front += 1;
  };
  const busy = stores.slice(0, 5).map((store, n) => workThrough(store, `w${n}`, taken));
  const changes = stores.slice(5).map(async (store) => {
    // where the claims are, and a little ahead
    for (let n = 0; n < CHANGES; n++) {
      const outcome = await luck.pick(people)(store, ids[Math.min(front + luck.upTo(8), ids.length - 1)] as string);
      expect(outcome).not.toMatchObject({ type: 'unavailable' });
    }
  });
  const done = (await Promise.all([...busy, ...changes])).flatMap((one) => one ?? []);
  done.push(...(await workThrough(stores[0] as Store, 'last')));
  expect(new Set(done).size).toBe(done.length);
  expect(await schema.query(WRONG)).toEqual([]);
  expect(await schema.query(`SELECT id FROM stopgate.tasks WHERE state NOT IN ('done', 'cancelled')`)).toEqual([]);
  // what a connection counted is known when it ends
  await Promise.all(stores.map((store) => store.close()));
  const open = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'stopgate'`;
  await expect.poll(async () => (await schema.query(open))[0]?.count).toBe(0);
  expect((await deadlocks()) - before).toBe(0);
});

it.each<[string, (store: Store, taskId: string) => Promise<object>]>([
  ['holds', (store, taskId) => store.hold({ taskId })],
  ['cancels', (store, taskId) => store.cancel({ taskId })],
  ['amends', (store, taskId) => store.amendTask({ taskId, title: 'other words' })],
  ['waits for', (store, taskId) => store.addTasks({ tasks: [{ title: 'waits', dependsOn: [taskId] }] })],
  ['names', async (store, taskId) => store.claim({ ...(await worker(store)), claimKey: newKey(), taskId })],
])('who %s a task has nothing of it that somebody needs who is just claiming it', async (_, change) => {
  await using schema = await database.schema(START);
  const store = await schema.open();
  const [id] = (await add(store, 'a task')) as [string];
  const sql = postgres(database.server.url, { max: 1, fetch_types: false });
  const changed = await sql.begin(async (transaction) => {
    await transaction.unsafe(`DELETE FROM ${schema.name}.ready`);
    const pending = change(store, id);
    const waits = async () => (await transaction`SELECT 1 FROM pg_locks WHERE NOT granted`).length;
    await expect.poll(waits).toBeGreaterThan(0);
    await transaction.unsafe(`SELECT 1 FROM ${schema.name}.tasks FOR NO KEY UPDATE NOWAIT`);
    return { pending };
  });
  await sql.end();
  expect(await changed.pending).not.toMatchObject({ type: 'unavailable' });
});

it('what was claimed is cleared away when it has become much, by one who claims', async () => {
  await using schema = await database.schema(START);
  const store = await schema.open();
  await add(store, ...Array.from({ length: 40 }, (_, n) => `task ${n}`));
  for (let n = 0; n < 30; n++) await claim(store, await worker(store, `w${n}`));
  await store.close();
  const sql = postgres(database.server.url, { max: 1, fetch_types: false, onnotice: () => {} });
  const facts = `SELECT n_dead_tup::int AS gone, vacuum_count::int AS cleared FROM pg_stat_all_tables
    WHERE relid = 'stopgate.ready'::regclass`;
  const seen = async () => (await schema.query(facts))[0];
  try {
    await expect.poll(seen).toMatchObject({ gone: expect.toSatisfy((gone: number) => gone >= 30) });
    const cleared = Number((await seen())?.cleared);
    const patient = keepReadyShort(sql, schema.name, { checkEvery: 2, mostGone: 1_000_000 });
    const ready = keepReadyShort(sql, schema.name, { checkEvery: 2, mostGone: 20 });
    for (const one of [patient, patient, ready]) one();
    await sql`SELECT 1`;
    expect(await seen()).toMatchObject({ cleared });
    ready();
    await expect.poll(seen).toMatchObject({ cleared: cleared + 1, gone: 0 });
  } finally {
    await sql.end();
  }
});
