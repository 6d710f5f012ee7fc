import { COUNT_CAP, type Readiness } from '../../claimTypes.ts';
import { DEFAULT_QUEUE } from '../../taskDefaults.ts';
import type { ReadinessOutcome, ReadinessRequest } from '../../types.ts';
import { READY, WAITING } from '../places.ts';
import type { Tables } from '../tables.ts';

const OF_TYPE = `FROM tasks INDEXED BY tasks_ready WHERE queue = ? AND type = ? AND ${READY}`;

/** What a claim would find, and what it would not. */
export function readiness(tables: Tables, { queue = DEFAULT_QUEUE, types }: ReadinessRequest): ReadinessOutcome {
  return { type: 'readiness', ...readinessOf(tables, queue, types) };
}

export function readinessOf(tables: Tables, queue: string, types: readonly string[] | undefined): Readiness {
  const present = readyTypes(tables, queue);
  const wanted = types ? present.filter((type) => types.includes(type)) : present;
  const others = types ? present.filter((type) => !types.includes(type)) : [];
  const ranges = wanted.flatMap((type) => rangesOf(tables, { from: OF_TYPE, values: [queue, type] }));
  return {
    ready: countDue(tables, ranges, '<='),
    delayed: countDue(tables, ranges, '>'),
    nextDueAt: nextDue(tables, ranges),
    blocked: countWaiting(tables, queue, 'hold_reason IS NULL'),
    held: countWaiting(tables, queue, 'hold_reason IS NOT NULL'),
    otherType: countTypes(tables, queue, others),
    queuePaused: isQueuePaused(tables, queue),
  };
}

export function isQueuePaused(tables: Tables, queue: string): boolean {
  return tables.get('SELECT 1 FROM queues WHERE name = ? AND paused_at IS NOT NULL', queue) !== undefined;
}

/** A part of the index; with the priority fixed, a range of it in order of time. */
interface Lane {
  readonly from: string;
  readonly values: readonly (string | number)[];
}

function rangesOf(tables: Tables, { from, values }: Lane): Lane[] {
  const next = `SELECT priority ${from} AND priority > ? ORDER BY priority LIMIT 1`;
  const ranges: Lane[] = [];
  for (let above = -(2 ** 31); ; ) {
    const found = tables.get<{ priority: number }>(next, ...values, above);
    if (!found) return ranges;
    above = found.priority;
    ranges.push({ from: `${from} AND priority = ?`, values: [...values, above] });
  }
}

function countDue(tables: Tables, ranges: readonly Lane[], compared: '<=' | '>'): number {
  let count = 0;
  for (const { from, values } of ranges) {
    if (count === COUNT_CAP) break;
    count += countUpTo(tables, COUNT_CAP - count, `${from} AND run_at ${compared} ?`, ...values, tables.now);
  }
  return count;
}

function nextDue(tables: Tables, ranges: readonly Lane[]): number | null {
  const times = ranges.flatMap(({ from, values }) => {
    const first = `SELECT run_at AS runAt ${from} AND run_at > ? ORDER BY run_at LIMIT 1`;
    return tables.get<{ runAt: number }>(first, ...values, tables.now)?.runAt ?? [];
  });
  return times.length === 0 ? null : Math.min(...times);
}

function countWaiting(tables: Tables, queue: string, condition: string): number {
  const from = `FROM tasks INDEXED BY tasks_waiting WHERE queue = ? AND ${WAITING} AND ${condition}`;
  return countUpTo(tables, COUNT_CAP, from, queue);
}

/** Steps from type to type, so that a million tasks of one are passed over at once. */
const READY_TYPES = `WITH RECURSIVE found (type) AS (
  SELECT min(type) FROM tasks INDEXED BY tasks_ready WHERE queue = ? AND ${READY} UNION ALL
  SELECT (SELECT min(type) FROM tasks INDEXED BY tasks_ready WHERE queue = ? AND ${READY} AND type > found.type)
    FROM found WHERE found.type IS NOT NULL
) SELECT type FROM found WHERE type IS NOT NULL`;

function readyTypes(tables: Tables, queue: string): string[] {
  return tables.all<{ type: string }>(READY_TYPES, queue, queue).map(({ type }) => type);
}

function countTypes(tables: Tables, queue: string, types: readonly string[]): number {
  let count = 0;
  for (const type of types) {
    if (count === COUNT_CAP) break;
    count += countUpTo(tables, COUNT_CAP - count, OF_TYPE, queue, type);
  }
  return count;
}

function countUpTo(tables: Tables, cap: number, from: string, ...values: (string | number)[]): number {
  const row = tables.get<{ count: number }>(`SELECT count(*) AS count FROM (SELECT 1 ${from} LIMIT ?)`, ...values, cap);
  return row?.count ?? 0;
}
