import { COUNT_CAP, type Readiness } from '../../claimTypes.ts';
import { DEFAULT_QUEUE } from '../../taskDefaults.ts';
import type { ReadinessOutcome, ReadinessRequest } from '../../types.ts';
import type { Tables } from '../tables.ts';

const READY = `state = 'queued' AND unmet = 0 AND hold_reason IS NULL`;
const WAITING = `state = 'queued' AND (unmet > 0 OR hold_reason IS NOT NULL)`;
const OF_ANY = `FROM tasks INDEXED BY tasks_ready WHERE queue = ? AND ${READY}`;
const OF_TYPE = `FROM tasks INDEXED BY tasks_ready_by_type WHERE queue = ? AND type = ? AND ${READY}`;

/** What a claim would find, and what it would not. */
export function readiness(tables: Tables, { queue = DEFAULT_QUEUE, types }: ReadinessRequest): ReadinessOutcome {
  return { type: 'readiness', ...readinessOf(tables, queue, types) };
}

export function readinessOf(tables: Tables, queue: string, types: readonly string[] | undefined): Readiness {
  const wanted = types && [...new Set(types)];
  const lanes: readonly Lane[] = wanted
    ? wanted.map((type) => ({ from: OF_TYPE, values: [queue, type] }))
    : [{ from: OF_ANY, values: [queue] }];
  const ranges = lanes.flatMap((lane) => rangesOf(tables, lane));
  return {
    ready: countDue(tables, ranges, '<='),
    delayed: countDue(tables, ranges, '>'),
    nextDueAt: nextDue(tables, ranges),
    blocked: countWaiting(tables, queue, 'hold_reason IS NULL'),
    held: countWaiting(tables, queue, 'hold_reason IS NOT NULL'),
    otherType: wanted ? countOtherTypes(tables, queue, wanted) : 0,
    queuePaused: isQueuePaused(tables, queue),
  };
}

export function isQueuePaused(tables: Tables, queue: string): boolean {
  return tables.get('SELECT 1 FROM queues WHERE name = ? AND paused_at IS NOT NULL', queue) !== undefined;
}

/** A part of one of the two indices; with the priority fixed, a range of it in order of time. */
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

/** Steps from type to type, so that a million tasks of the wanted types are passed over at once. */
function countOtherTypes(tables: Tables, queue: string, wanted: readonly string[]): number {
  const nextType = `SELECT type FROM tasks INDEXED BY tasks_ready_by_type
    WHERE queue = ? AND ${READY} AND type > ? ORDER BY type LIMIT 1`;
  let count = 0;
  for (let after = ''; count < COUNT_CAP; ) {
    const next = tables.get<{ type: string }>(nextType, queue, after);
    if (!next) break;
    after = next.type;
    if (!wanted.includes(after)) count += countUpTo(tables, COUNT_CAP - count, OF_TYPE, queue, after);
  }
  return count;
}

function countUpTo(tables: Tables, cap: number, from: string, ...values: (string | number)[]): number {
  const row = tables.get<{ count: number }>(`SELECT count(*) AS count FROM (SELECT 1 ${from} LIMIT ?)`, ...values, cap);
  return row?.count ?? 0;
}
