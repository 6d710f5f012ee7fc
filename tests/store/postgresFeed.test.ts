import postgres, { type Sql } from 'postgres';
import { expect, it } from 'vitest';
import type { Attempt, Lease, Store, StoreEvent } from '../../src/store/types.ts';
import { available } from '../../src/store/unavailable.ts';
import { assertReplays } from '../../src/testing/storeContract/eventCases.ts';
import { add, addOne, claim, newKey, worker } from '../../src/testing/storeContract/steps.ts';
import { databaseOfThisFile } from './support/postgresStores.ts';

/**
 * Transactions are numbered when they begin to write, not when they commit. One that began first and then met what a later one
 * did must be told after it, or whoever replays the feed ends with a task that nobody has.
 */
const START = Date.UTC(2026, 0, 1);
const database = databaseOfThisFile();

/** Its transaction has its number; then something else happens and is committed; then it does what it came for. */
async function beganFirst(schema: string, workerId: string, meanwhile: () => Promise<unknown>, then: Call) {
  const sql = postgres(database.server.url, { max: 1, fetch_types: false });
  try {
    await sql.begin(async (transaction) => {
      await transaction.unsafe(`SELECT 1 FROM ${schema}.workers WHERE id = '${workerId}' FOR NO KEY UPDATE`);
      await meanwhile();
      await call(transaction, schema, then);
    });
  } finally {
    await sql.end();
  }
}

interface Call {
  readonly operation: string;
  readonly request: object;
}

function call(sql: Sql | postgres.TransactionSql, schema: string, { operation, request }: Call) {
  return sql.unsafe(`SELECT ${schema}.${operation}($1::text::jsonb)`, [JSON.stringify({ ...request, jitter: 0 })]);
}

/** In pages of one, as slow as a reader can be. */
async function kindsOf(store: Store, taskId: string): Promise<string[]> {
  const events: StoreEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.cursor;
    const page = available(await store.events({ limit: 1, ...(after !== undefined && { after }) })).events;
    if (page.length === 0) return events.filter((event) => event.taskId === taskId).map(({ kind }) => kind);
    events.push(...page);
  }
}

it('tells a task that was added before the claim of it, also when the claim had begun before', async () => {
  await using schema = await database.schema(START);
  const store = await schema.open();
  const by = await worker(store);
  let id = '';
  const meanwhile = async () => {
    id = await addOne(store);
  };
  await beganFirst(schema.name, by.workerId, meanwhile, {
    operation: 'claim',
    request: { ...by, claimKey: newKey() },
  });
  expect(await kindsOf(store, id)).toEqual(['task.added', 'task.claimed']);
  await assertReplays(store);
});

it('tells what a chain of claims and releases did in its order, whoever began first', async () => {
  await using schema = await database.schema(START);
  const store = await schema.open();
  const [first, second, third] = [await worker(store, 'w1'), await worker(store, 'w2'), await worker(store, 'w3')];
  const id = await addOne(store);
  const take = (by: typeof first) => ({ operation: 'claim', request: { ...by, claimKey: newKey() } });
  const release = (lease: Lease) => store.release({ lease, reason: 'released', backoff: false });
  // numbered 1, 2, 3; done 3, 2, 1
  await beganFirst(
    schema.name,
    'w1',
    async () => {
      await beganFirst(
        schema.name,
        'w2',
        async () => void (await release((await claim(store, third)).lease)),
        take(second),
      );
      const { attempts } = available(await store.attempts({ taskId: id }));
      const { taskId, id: attemptId, epoch, workerId, incarnation } = attempts.at(-1) as Attempt;
      await release({ taskId, attemptId, epoch, workerId, incarnation });
    },
    take(first),
  );
  const [once, released] = ['task.claimed', 'task.released'];
  expect(await kindsOf(store, id)).toEqual(['task.added', once, released, once, released, once]);
  await assertReplays(store);
});

it('counts the dependencies of a task down in the order in which they were met', async () => {
  await using schema = await database.schema(START);
  const store = await schema.open();
  const [, , last] = await add(
    store,
    { title: 'a', key: 'a' },
    { title: 'b', key: 'b' },
    {
      title: 'c',
      dependsOn: [{ key: 'a' }, { key: 'b' }],
    },
  );
  const [first, second] = [await worker(store, 'w1'), await worker(store, 'w2')];
  const [a, b] = [(await claim(store, first)).lease, (await claim(store, second)).lease];
  const request = { lease: a, result: 'a' };
  await beganFirst(schema.name, 'w1', () => store.complete({ lease: b, result: 'b' }), {
    operation: 'complete',
    request,
  });
  const { events } = available(await store.events({ taskId: last as string }));
  expect(events.map(({ data }) => data.unmetDependencies)).toEqual([2, 1, 0]);
  await assertReplays(store);
});
