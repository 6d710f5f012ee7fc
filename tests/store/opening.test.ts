import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import { OPERATION_NAMES } from '../../src/store/operationsOver.ts';
import { inSnakeCase } from '../../src/store/snakeCase.ts';
import { openSqliteStore } from '../../src/store/sqlite/openFile.ts';
import tables from '../../src/store/sqlite/tables.sql';
import { available } from '../../src/store/unavailable.ts';
import { addOne } from '../../src/testing/storeContract/steps.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { type PostgresServer, startPostgres } from '../support/postgresServer.ts';
import { opened } from './support/sqliteStores.ts';
import { storeProcesses } from './support/storeProcesses.ts';

it('six processes that open a new file at once make one store', async () => {
  await using folder = await tempFolder();
  await using processes = await storeProcesses(folder.path, path.join(folder.path, 'new.db'));
  const opening = await Promise.all(Array.from({ length: 6 }, processes.start));
  const outcomes = await Promise.all(opening.map((one, n) => one.ask('addTasks', { tasks: [{ title: `of ${n}` }] })));
  expect(outcomes.map(({ type }) => type)).toEqual(Array(6).fill('added'));
  expect(await opening[0]?.ask('counts', {})).toMatchObject({ ready: 6 });
});

it('a file of version 3 gets what it lacks, and keeps its tasks', async () => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, 'old.db');
  const database = new DatabaseSync(file);
  database.exec(`${tables}; PRAGMA user_version = 3; PRAGMA application_id = ${0x53544f50}`);
  database.close();
  await using store = opened(await openStore(file));
  const id = await addOne(store);
  expect(await store.about()).toMatchObject({ schemaVersion: 14 });
  expect(await store.task({ id })).toMatchObject({ task: { state: 'queued' } });
  expect(await store.about()).toMatchObject({ leaseMs: null });
  expect(await store.registerWorker({ workerId: 'w', leaseMs: 12_000 })).toMatchObject({ type: 'registered' });
  expect(await store.about()).toMatchObject({ leaseMs: 12_000 });
});

it.each([
  ['a name that is too long', 'a'.repeat(300), 'ENAMETOOLONG'],
  ['a link into nothing', '../../proc/self/none', 'ENOENT'],
])('a file that cannot be created is a sentence: %s', async (_what, name, code) => {
  await using folder = await tempFolder();
  const file = name.startsWith('a') ? path.join(folder.path, name) : '/proc/self/none';
  expect(await openStore(file)).toEqual({
    type: 'unavailable',
    cause: 'unreachable',
    reason: `The store ${file} cannot be created because the system refuses it (${code}); choose another path.`,
  });
});

describe.each([{ serve: true }, {}])('a file that is removed or replaced while it is open, with %j', (options) => {
  const GONE = {
    type: 'unavailable',
    cause: 'unreachable',
    reason: expect.stringContaining('was removed or replaced'),
  };

  it('takes no change that would be lost with the process', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'x.db');
    await using store = opened(await openStore(file, options));
    const id = await addOne(store);
    await rename(file, `${file}.away`);
    expect(await store.addTasks({ tasks: [{ title: 'lost' }] })).toEqual(GONE);
    expect(await store.counts()).toEqual(GONE);
    await rename(`${file}.away`, file);
    expect(await store.task({ id })).toMatchObject({ type: 'found' });
    await rm(file);
    await using other = opened(await openStore(`${file}.new`));
    await addOne(other);
    await other.close();
    await rename(`${file}.new`, file);
    expect(await store.task({ id })).toEqual(GONE);
  });

  it('leaves the file that took its place as it is', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'x.db');
    const store = opened(await openStore(file, options));
    await addOne(store);
    await rm(file);
    await rm(`${file}-wal`);
    await rm(`${file}-shm`);
    const next = opened(await openSqliteStore({ path: file }));
    const id = await addOne(next);
    await store.close();
    await next.close();
    await using again = opened(await openStore(file));
    expect(await again.task({ id })).toMatchObject({ type: 'found' });
  });
});

describe('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server[Symbol.asyncDispose]());

  it('six that open a new schema at once make one store', async () => {
    await using closing = new AsyncDisposableStack();
    const open = async () => closing.use(opened(await openStore(server.url, { schema: 'fresh', connections: 1 })));
    const stores = await Promise.all(Array.from({ length: 6 }, open));
    await Promise.all(stores.map((store) => addOne(store)));
    expect(available((await stores[0]?.counts()) ?? { type: 'none' })).toMatchObject({ ready: 6 });
  });

  it('keeps stores of one database apart, and shows itself by name', async () => {
    await using one = opened(await openStore(server.url, { schema: 'one' }));
    await using two = opened(await openStore(server.url, { schema: 'two' }));
    await addOne(one);
    expect(available(await two.counts()).ready).toBe(0);
    const sql = postgres(server.url, { max: 1 });
    const [row] = await sql`SELECT count(*) > 0 AS there FROM pg_stat_activity WHERE application_name = 'stopgate'`;
    expect(row).toEqual({ there: true });
    await sql.end();
  });

  it('a schema of version 3 gets what it lacks, and keeps its tasks', async () => {
    const sql = postgres(server.url, { max: 1, onnotice: () => {} });
    {
      await using before = opened(await openStore(server.url, { schema: 'older' }));
      await addOne(before, { title: 'x', maxReleases: 1 });
      await before.registerWorker({ workerId: 'w' });
      await sql.unsafe(`CREATE OR REPLACE FUNCTION older.release(p jsonb) RETURNS json LANGUAGE sql AS 'SELECT NULL::json';
        UPDATE older.meta SET version = 3`);
    }
    await sql.end();
    await using store = opened(await openStore(server.url, { schema: 'older' }));
    expect(await store.about()).toMatchObject({ schemaVersion: 14 });
    const claimed = await store.claim({ workerId: 'w', incarnation: 1, claimKey: 'k' });
    if (claimed.type !== 'claimed') return expect.unreachable(JSON.stringify(claimed));
    expect(await store.release({ lease: claimed.lease, reason: 'drained' })).toMatchObject({ type: 'requeued' });
  });

  it('pins the search path of every function that it calls', async () => {
    await using _store = opened(await openStore(server.url, { schema: 'pinned' }));
    const sql = postgres(server.url, { max: 1 });
    const rows =
      await sql`SELECT proname, coalesce(proconfig::text, '') LIKE '%search_path=pg_catalog, pg_temp%' AS pinned
      FROM pg_proc WHERE pronamespace = 'pinned'::regnamespace
        AND (proname IN ('claim_next', 'complete_and_claim') OR proname = ANY (${[...OPERATION_NAMES].map(inSnakeCase)}))`;
    await sql.end();
    expect(rows.length).toBe(OPERATION_NAMES.length + 2);
    expect(rows.filter(({ pinned }) => !pinned)).toEqual([]);
  });

  it('refuses a name for a schema that would have to be quoted', async () => {
    await expect(openStore(server.url, { schema: 'x; DROP TABLE y' })).rejects.toThrow('is not a valid schema name');
  });

  it('keeps events as they were written', async () => {
    await using store = opened(await openStore(server.url, { schema: 'kept' }));
    await addOne(store);
    const sql = postgres(server.url, { max: 1 });
    await expect(sql`UPDATE kept.events SET kind = 'x'`).rejects.toThrow('events are append-only');
    await expect(sql`DELETE FROM kept.events`).rejects.toThrow('events are append-only');
    await expect(sql`TRUNCATE kept.events`).rejects.toThrow('events are append-only');
    await sql.end();
  });

  it.each([
    [99, /written by a newer Stopgate;/],
    [1, /created before the first release of Stopgate/],
  ])('says of a store with the schema %i that it cannot read it', async (version, words) => {
    const schema = `version_${version}`;
    await opened(await openStore(server.url, { schema })).close();
    const sql = postgres(server.url, { max: 1 });
    await sql.unsafe(`UPDATE ${schema}.meta SET version = ${version}`);
    await sql.end();
    const reason = expect.stringMatching(words);
    expect(await openStore(server.url, { schema })).toEqual({
      type: 'unavailable',
      cause: 'unusable',
      reason,
    });
  });

  it('says what is wrong with an address, without its password', async () => {
    const refused = async (change: (url: URL) => void) => {
      const url = new URL(server.url);
      change(url);
      const outcome = await openStore(url.href);
      if (!('type' in outcome)) throw new Error('It was opened');
      expect(outcome.reason).not.toContain(url.password);
      return outcome.reason;
    };
    const { host } = new URL(server.url);
    expect(await refused((url) => Object.assign(url, { password: 'geheim' }))).toBe(
      `PostgreSQL at ${host} refuses this user or password; check the address of the store.`,
    );
    expect(await refused((url) => Object.assign(url, { pathname: '/nowhere' }))).toBe(
      `PostgreSQL at ${host} has no database nowhere; create it with createdb.`,
    );
  });
});
