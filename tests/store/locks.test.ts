import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/openFile.ts';
import { add, claimed, newKey, worker } from '../../src/testing/storeContract/steps.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { databaseOfThisFile } from './support/postgresStores.ts';
import { opened } from './support/sqliteStores.ts';

/** What the contract cannot see: whether a lock is taken when it must be, and not waited for when it need not be. */
const database = databaseOfThisFile();

it('SQLite: nobody writes between what an operation reads and what it writes', async () => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, 'store.db');
  const between: string[] = [];
  // chance is drawn after the task was looked at and before it is put back
  const random = () => {
    using beside = new DatabaseSync(file, { timeout: 0 });
    try {
      beside.exec(`UPDATE workers SET kind = 'changed'`);
      between.push('written');
    } catch (error) {
      between.push((error as Error).message);
    }
    return 0.5;
  };
  await using store = opened(openSqliteStore({ path: file, random }));
  const { lease } = await claimed(store);
  expect(await store.fail({ lease, error: 'x' })).toMatchObject({ type: 'requeued' });
  expect(between).toEqual(['database is locked']);
});

it.each([undefined, ['task']])(
  'PostgreSQL: a claim of types %s goes past a task that somebody is about to take',
  async (types) => {
    await using schema = await database.schema(Date.UTC(2026, 0, 1));
    const store = await schema.open();
    const [first, second] = await add(store, 'first', 'second');
    const by = await worker(store);
    const sql = postgres(database.server.url, { max: 1, fetch_types: false });
    try {
      const outcome = await sql.begin(async (transaction) => {
        await transaction.unsafe(`SELECT ${schema.name}.lock_task('${first}')`);
        const claiming = store.claim({ ...by, claimKey: newKey(), types });
        return Promise.race([claiming, sleep(3_000, { type: 'it waited for us' })]);
      });
      expect(outcome).toMatchObject({ type: 'claimed', task: { id: second } });
    } finally {
      await sql.end();
    }
  },
);

const PLANS = ['hashjoin', 'mergejoin', 'hashagg', 'material', 'sort', 'indexscan', 'indexonlyscan', 'bitmapscan'];

// as `seq IN (SELECT … LIMIT 1 FOR UPDATE SKIP LOCKED)` it took every task there was, one for each row it looked at
it.each([undefined, ['task']])('PostgreSQL: a claim of types %s takes one task, whatever the plan', async (types) => {
  await using schema = await database.schema(Date.UTC(2026, 0, 1));
  const store = await schema.open();
  await add(store, ...Array.from({ length: 50 }, (_, n) => `task ${n}`));
  const request = JSON.stringify({ ...(await worker(store)), claimKey: newKey(), types });
  const sql = postgres(database.server.url, { max: 1, fetch_types: false });
  try {
    await sql.begin(async (transaction) => {
      for (const plan of PLANS) await transaction.unsafe(`SET LOCAL enable_${plan} = off`);
      await transaction.unsafe(`SELECT ${schema.name}.claim($1::text::jsonb)`, [request]);
    });
    expect(await store.counts()).toMatchObject({ claimed: 1, ready: 49 });
  } finally {
    await sql.end();
  }
});
