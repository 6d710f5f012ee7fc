import { readFileSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import { expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import { addOne, claim, worker } from '../../src/testing/storeContract/steps.ts';
import { taskOf } from '../../src/testing/storeContract/storeCase.ts';
import { databaseOfThisFile } from './support/postgresStores.ts';

const database = databaseOfThisFile();
const TABLES = path.join(import.meta.dirname, '../../src/store/postgres/sql/tables.sql');

/** The signatures that versions before this one had, and this one has not. */
const OLD_FUNCTIONS = `CREATE FUNCTION old.put_back(h old.held, p_now bigint, p_counted text, p_run_at bigint,
  p_error text DEFAULT NULL, p_final boolean DEFAULT false) RETURNS text LANGUAGE sql AS $$ SELECT 'queued' $$`;

it('opens a store of the last release, and settles its tasks', async () => {
  const sql = postgres(database.server.url, { max: 1, fetch_types: false, onnotice: () => {} });
  await sql.unsafe('CREATE SCHEMA old');
  await sql.unsafe(readFileSync(TABLES, 'utf8').replaceAll('stopgate.', 'old.'));
  await sql.unsafe(OLD_FUNCTIONS);
  await sql.unsafe('UPDATE old.meta SET version = 5');
  await sql.end();
  const store = await openStore(database.server.url, { schema: 'old', connections: 1 });
  if ('type' in store) throw new Error(store.reason);
  await using _closing = store;
  const id = await addOne(store, { title: 'x', backoffMs: 0 });
  const by = await worker(store, 'w1', { leaseMs: 12_000 });
  expect(await store.about()).toMatchObject({ leaseMs: 12_000 });
  expect(await store.release({ lease: (await claim(store, by)).lease, reason: 'released' })).toMatchObject({
    type: 'requeued',
  });
  expect(await store.fail({ lease: (await claim(store, by)).lease, error: 'no' })).toMatchObject({ type: 'requeued' });
  expect(await taskOf(store, id)).toMatchObject({ state: 'queued', releases: 1, failures: 1 });
});
