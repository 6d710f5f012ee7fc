import type { CountsOutcome, CountsRequest } from '../../taskOperationTypes.ts';
import { APART, READY, WAITING } from '../places.ts';
import type { Tables } from '../tables.ts';

const COUNT_READY = `SELECT coalesce(sum(run_at <= ?), 0) AS ready, coalesce(sum(run_at > ?), 0) AS delayed,
  min(CASE WHEN run_at > ? THEN run_at END) AS nextDueAt FROM tasks INDEXED BY tasks_ready
  WHERE ${READY} AND (? IS NULL OR queue = ?)`;
const COUNT_WAITING = `SELECT count(*) - count(hold_reason) AS blocked, count(hold_reason) AS held
  FROM tasks INDEXED BY tasks_waiting WHERE ${WAITING} AND (? IS NULL OR queue = ?)`;
const COUNT_APART = `SELECT coalesce(sum(state = 'verifying'), 0) AS verifying, coalesce(sum(state = 'dead'), 0) AS dead,
  coalesce(sum(state = 'cancelled'), 0) AS cancelled FROM tasks INDEXED BY tasks_apart
  WHERE ${APART} AND (? IS NULL OR queue = ?)`;
const COUNT_CLAIMED = `SELECT count(*) AS claimed FROM workers w JOIN attempts a ON a.id = w.attempt_id
  JOIN tasks t ON t.seq = a.task_seq WHERE (? IS NULL OR t.queue = ?)`;
const ALL = 'SELECT count(*) AS total FROM tasks';
const ALL_OF_QUEUE = 'SELECT count(*) AS total FROM tasks WHERE queue = ?';

/** How many there are of each; walks indices once, so it is for people, not for loops. */
export function counts(tables: Tables, request: CountsRequest): CountsOutcome {
  const queue = request.queue ?? null;
  const { now } = tables;
  const ready = row<'ready' | 'delayed' | 'nextDueAt'>(tables, COUNT_READY, now, now, now, queue, queue);
  const waiting = row<'blocked' | 'held'>(tables, COUNT_WAITING, queue, queue);
  const apart = row<'verifying' | 'dead' | 'cancelled'>(tables, COUNT_APART, queue, queue);
  const { claimed } = row<'claimed'>(tables, COUNT_CLAIMED, queue, queue);
  const { total } = queue === null ? row<'total'>(tables, ALL) : row<'total'>(tables, ALL_OF_QUEUE, queue);
  const { nextDueAt, ...due } = ready;
  const others = { ...due, ...waiting, ...apart, claimed };
  const done = Object.values(others).reduce((left, count) => left - count, total);
  return { type: 'counts', ...others, done, nextDueAt: nextDueAt ?? null };
}

function row<Name extends string>(tables: Tables, sql: string, ...values: (string | number | null)[]) {
  return { ...(tables.get(sql, ...values) as Record<Name, number>) };
}
