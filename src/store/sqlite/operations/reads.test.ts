import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { TaskStatus } from '../../task.ts';
import { migrate } from '../migrations.ts';
import type { Tables } from '../tables.ts';
import { counts, listTasks } from './reads.ts';

/** Real tables that note how each statement reads them. */
function planned() {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  const plans: string[] = [];
  const explain = (sql: string, values: readonly (string | number | null)[]) => {
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
    plans.push(...steps.map(({ detail }) => String(detail)));
  };
  const tables = {
    now: 0,
    get: (sql: string, ...values: (string | number | null)[]) => {
      explain(sql, values);
      return database.prepare(sql).get(...values);
    },
    all: (sql: string, ...values: (string | number | null)[]) => {
      explain(sql, values);
      return database.prepare(sql).all(...values);
    },
  } as unknown as Tables;
  return { tables, plans };
}

/** Reads the rows of all tasks, or all entries of all tasks of a queue to look at each row. */
const readsEachTask = (detail: string) =>
  /^(?:SCAN|SEARCH) (?:t|tasks)\b/.test(detail) && !/tasks_(?:ready|waiting|apart)|INTEGER PRIMARY KEY/.test(detail);

const STATUSES: readonly (readonly TaskStatus[])[] = [
  ['ready'],
  ['delayed'],
  ['blocked', 'held'],
  ['claimed'],
  ['verifying'],
  ['dead'],
  ['ready', 'delayed', 'blocked', 'held', 'claimed', 'verifying', 'dead', 'cancelled'],
];

describe('with a million done tasks', () => {
  it.each(STATUSES.flatMap((statuses) => [{ statuses }, { statuses, queue: 'q' }]))(
    'a list of %j reads none of them',
    (request) => {
      const { tables, plans } = planned();
      listTasks(tables, request);
      expect(plans.filter(readsEachTask)).toEqual([]);
    },
  );

  it.each([{}, { queue: 'q' }])('counting %j reads an index of their queues alone', (request) => {
    const { tables, plans } = planned();
    counts(tables, request);
    const each = plans.filter(readsEachTask);
    expect(each).toHaveLength(1);
    expect(each[0]).toContain('COVERING INDEX tasks_by_queue');
  });
});
