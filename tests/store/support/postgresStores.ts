import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll } from 'vitest';
import { openStore } from '../../../src/store/openStore.ts';
import type { Store } from '../../../src/store/types.ts';
import { type FakeClock, fakeClock } from '../../../src/testing/fakeClock.ts';
import { type PostgresServer, type PostgresStart, startPostgres } from '../../support/postgresServer.ts';

/** A schema of its own, whose clock the test moves. */
interface TestSchema extends AsyncDisposable {
  readonly name: string;
  readonly clock: FakeClock;
  open(options?: { readonly random?: () => number }): Promise<Store>;
  advance(ms: number): Promise<void>;
  /** For what the interface does not show; `stopgate.` is the schema. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
}

export interface TestDatabase {
  readonly server: PostgresServer;
  schema(startAt: number): Promise<TestSchema>;
}

export interface DatabaseOptions extends PostgresStart {
  readonly durable?: boolean;
}

/** There before the first test of a file and gone after the last. */
export function databaseOfThisFile(options: DatabaseOptions = {}): TestDatabase {
  let database: (TestDatabase & AsyncDisposable) | undefined;
  const there = () => {
    if (!database) throw new Error('The database is only there while tests run.');
    return database;
  };
  beforeAll(async () => {
    database = await testDatabase(options);
  }, 60_000);
  afterAll(() => database?.[Symbol.asyncDispose]());
  return {
    get server() {
      return there().server;
    },
    schema: (startAt) => there().schema(startAt),
  };
}

/** Making a schema takes longer than most cases do, so an emptied one is used again. */
async function testDatabase({ durable = true, ...start }: DatabaseOptions): Promise<TestDatabase & AsyncDisposable> {
  const server = await startPostgres(start);
  const sql = postgres(server.url, { max: 1, fetch_types: false, onnotice: () => {} });
  // only for tests that ask what is answered, not what is left after a crash
  if (!durable) await sql`ALTER DATABASE postgres SET synchronous_commit = off`;
  const free: string[] = [];
  let count = 0;
  return {
    server,
    schema: async (startAt) => {
      const name = free.pop() ?? (await createSchema(server.url, sql, `test_${++count}`));
      return openSchema({ server, sql, name, startAt, release: () => free.push(name) });
    },
    [Symbol.asyncDispose]: async () => {
      await sql.end();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function createSchema(url: string, sql: Sql, schema: string): Promise<string> {
  const store = await openStore(url, { schema, connections: 1 });
  if ('type' in store) throw new Error(store.reason);
  await store.close();
  await sql.unsafe(`
    CREATE TABLE ${schema}.test_clock (at bigint);
    INSERT INTO ${schema}.test_clock VALUES (0);
    CREATE OR REPLACE FUNCTION ${schema}.now_ms() RETURNS bigint LANGUAGE sql VOLATILE
      AS 'SELECT at FROM ${schema}.test_clock';
  `);
  return schema;
}

const TABLES = [
  'tasks',
  'bodies',
  'ready',
  'children',
  'apart',
  'dependencies',
  'attempts',
  'reviews',
  'review_limits',
  'workers',
  'events',
  'queues',
  'schedules',
  'settings',
  'accounts',
  'leaders',
  'launches',
  'obstacles',
];

/** Without triggers, because events are not to be deleted. */
function emptySchema(schema: string, startAt: number): string {
  return `
    BEGIN;
    SET LOCAL session_replication_role = replica;
    ${TABLES.map((table) => `DELETE FROM ${schema}.${table};`).join('\n')}
    UPDATE ${schema}.meta SET generation = 1, moved_to = NULL, trimmed_xid = '0', trimmed_seq = 0;
    UPDATE ${schema}.test_clock SET at = ${startAt};
    COMMIT;
  `;
}

interface SchemaParts {
  readonly server: PostgresServer;
  readonly sql: Sql;
  readonly name: string;
  readonly startAt: number;
  readonly release: () => void;
}

async function openSchema({ server, sql, name, startAt, release }: SchemaParts): Promise<TestSchema> {
  await sql.unsafe(emptySchema(name, startAt));
  const clock = fakeClock(startAt);
  const stores = new AsyncDisposableStack();
  stores.defer(release);
  return {
    name,
    clock,
    open: async (options = {}) => {
      const store = await openStore(server.url, { schema: name, connections: 2, clock, ...options });
      if ('type' in store) throw new Error(store.reason);
      return stores.use(store);
    },
    advance: async (ms) => {
      await sql.unsafe(`UPDATE ${name}.test_clock SET at = at + ${ms}`);
      await clock.advance(ms);
    },
    query: (text) => sql.unsafe(text.replaceAll('stopgate.', `${name}.`)),
    [Symbol.asyncDispose]: () => stores.disposeAsync(),
  };
}
