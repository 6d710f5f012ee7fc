import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/openStore.ts';
import type { Store } from '../../src/store/types.ts';
import { claim, worker } from '../../src/testing/storeContract/steps.ts';
import { type StoreTools, storeContract } from '../../src/testing/storeContract.ts';
import { machinePostgres } from '../support/postgresServer.ts';
import { sampleOf } from '../support/testSize.ts';
import { passingWith } from './support/passing.ts';
import { pgbouncer, startPgbouncer } from './support/pgbouncer.ts';
import { databaseOfThisFile } from './support/postgresStores.ts';

const START = Date.UTC(2026, 0, 1);
const bin = machinePostgres();

/** The embedded server of the other tests has no just-in-time compiler; a distribution's package has one, which is on. */
describe.skipIf(bin === null)(
  bin === null ? 'PostgreSQL with JIT (skipped: the package postgresql is not installed)' : 'PostgreSQL with JIT',
  () => {
    const more = { jit: 'on', shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track': 'all' };
    const database = databaseOfThisFile({ durable: false, bin: bin ?? '', more });
    const asked = <Row extends object>(text: string) => askOnce<Row>(database.server.url, text);

    it('the server compiles what it finds expensive', async () => {
      expect(await asked('SELECT pg_jit_available() AS available, version() AS version')).toMatchObject([
        { available: true },
      ]);
    });

    // all of it runs on two other stores, tests/store/postgresContract is one of them
    for (const { name, run } of sampleOf(storeContract, (one) => storeContract.indexOf(one) % 6 === 0))
      it(name, async () => {
        await using closing = new AsyncDisposableStack();
        const schema = closing.use(await database.schema(START));
        const tools: StoreTools = {
          advance: schema.advance,
          connect: schema.open,
          another: async () => closing.use(await database.schema(START)).open(),
          passing: passingWith(schema.advance),
        };
        await run(await schema.open(), tools);
      });

    const compilesNothing = async (url: string, count: number) => {
      await using store = await filled(url, count);
      await asked('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
      await asked('SELECT pg_stat_statements_reset()');
      const claimMs = await workedMs(store, 40);
      await readAll(store);
      const compiled = await asked(
        `SELECT left(query, 200) AS query, jit_functions AS functions FROM pg_stat_statements
          WHERE jit_functions > 0 AND query NOT ILIKE '%pg_stat_statements%'`,
      );
      expect(compiled).toEqual([]);
      // 80 ms to 155 ms when the statements of a claim were compiled, each time
      expect(claimMs).toBeLessThan(40);
    };

    it('compiles no statement of a store, with 98,000 tasks queued', async () => {
      await compilesNothing(database.server.url, 98_000);
    }, 60_000);

    const pooled = 'nor through a pooler that refuses unknown startup parameters';
    it.skipIf(pgbouncer === null)(
      pgbouncer === null ? `${pooled} (skipped: pgbouncer is not installed)` : pooled,
      async () => {
        await using pooler = await startPgbouncer(database.server.url);
        await compilesNothing(pooler.url, 100);
      },
    );
  },
);

async function askOnce<Row extends object>(url: string, text: string): Promise<Row[]> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  try {
    return [...(await sql.unsafe<Row[]>(text))];
  } finally {
    await sql.end();
  }
}

const COPIES = `WITH added AS (
    INSERT INTO full_store.tasks (id, queue, type, priority, state, run_at, unmet, max_failures, max_reclaims, max_releases,
      backoff_ms, created_at, updated_at, title, body)
    SELECT 'copy-$2-' || n, t.queue, t.type, t.priority, 'queued', t.run_at, 0, t.max_failures, t.max_reclaims, t.max_releases,
      t.backoff_ms, t.created_at, t.updated_at, t.title, t.body
    FROM (SELECT * FROM full_store.tasks LIMIT 1) t, generate_series(2, $1) n
    RETURNING seq, queue, type, priority, run_at)
  INSERT INTO full_store.ready SELECT seq, queue, type, priority, run_at FROM added`;

/** One task is added normally, and the others as its copies. */
async function filled(url: string, count: number): Promise<Store> {
  const store = await openStore(url, { schema: 'full_store', connections: 1 });
  if ('type' in store) throw new Error(store.reason);
  await store.addTasks({ tasks: [{ title: 'one of many' }] });
  await askOnce(url, COPIES.replace('$1', String(count)).replace('$2', String(Date.now())));
  await askOnce(url, 'ANALYZE full_store.tasks, full_store.ready');
  return store;
}

/** The median time of a claim; each task is also completed, and each worker asks for other work in vain. */
async function workedMs(store: Store, times: number): Promise<number> {
  const by = await worker(store);
  const taken: number[] = [];
  for (let count = 0; count < times; count++) {
    const before = performance.now();
    const { lease } = await claim(store, by);
    taken.push(performance.now() - before);
    await store.heartbeat({ ...by, lease });
    if (count % 3 === 0) await store.fail({ lease, error: 'no' });
    else if (count % 3 === 1) await store.release({ lease, reason: 'released' });
    else await store.complete({ lease, result: 'done' });
    await store.claim({ ...by, claimKey: `none ${count}`, queue: 'nothing here' });
  }
  return taken.toSorted((one, other) => one - other)[times >> 1] ?? Number.POSITIVE_INFINITY;
}

/** What a coordinator and a status read. */
async function readAll(store: Store): Promise<void> {
  await store.workers({ running: true });
  await store.counts();
  await store.readiness();
  await store.accounts();
  await store.launches({ withinMs: 60_000 });
  await store.listTasks({ limit: 50, statuses: ['ready'] });
  await store.events({ limit: 50, newest: true });
  await store.expireOffers();
  await store.waitForWork({ timeoutMs: 1 });
}
