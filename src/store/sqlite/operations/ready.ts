import { COUNT_CAP, type Readiness } from '../../outcomes.ts';
import type { Requests } from '../../requests.ts';
import { DEFAULT_QUEUE } from '../../taskDefaults.ts';
import type { Probe } from '../../waitForWork.ts';
import { READY, WAITING } from '../indexConditions.ts';
import type { Operation, Tables } from '../tables.ts';
import { limitsOf, type QueueLimits } from './limits.ts';

export interface ReadyEntry {
  readonly seq: number;
  readonly priority: number;
  readonly runAt: number;
  readonly epoch: number;
}

export interface ReadyScan {
  /** The first task to claim. */
  readonly due: ReadyEntry | undefined;
  /** If none is due: when the first one will be. */
  readonly nextDueAt: number | null;
}

const ORDER = 'ORDER BY priority, run_at, seq LIMIT 1';
const NEXT_OF_TYPE = `SELECT seq, priority, run_at, epoch FROM tasks INDEXED BY tasks_ready
  WHERE lane = ? AND type = ? AND ${READY} AND priority > ? ${ORDER}`;

/** The first entry of a type, and whether there is another type; mostly there is only one. */
interface FirstOfType extends ReadyEntry {
  readonly type: string;
  readonly more: number;
}

const firstOfType = (condition: string) => `SELECT seq, type, priority, run_at, epoch,
  EXISTS (SELECT 1 FROM tasks INDEXED BY tasks_ready WHERE lane = t.lane AND type > t.type AND ${READY}) AS more
  FROM tasks t INDEXED BY tasks_ready WHERE lane = ? AND ${READY} ${condition} ORDER BY type, priority, run_at, seq LIMIT 1`;
const FIRST_TYPE = firstOfType('');
const NEXT_TYPE = firstOfType('AND type > ?');

/** Below every priority. */
const LOWEST = -(2 ** 31);

/**
 * Reads the first entry of each priority until one is due. A million delayed tasks cost one read: within a priority the index has
 * them after the due ones, and the next priority is one seek away.
 */
export function scanReady(tables: Tables, lane: string, types: readonly string[] | undefined): ReadyScan {
  if (types === undefined) return scanAllTypes(tables, lane);
  return types
    .map((type) => scan(tables, lane, type, tables.get<ReadyEntry>(NEXT_OF_TYPE, lane, type, LOWEST)))
    .reduce(firstOf, NOTHING);
}

/** The first task that no limit keeps back, of all lanes of a queue. */
export function scanWithin(
  tables: Tables,
  { queue, types, limits }: { queue: string; types: readonly string[] | undefined; limits: QueueLimits },
): ReadyScan {
  if (limits.free === 0) return NOTHING;
  return limits.lanes
    .map(({ lane }) => withinKey(tables, limits, lane, scanReady(tables, lane, types)))
    .reduce(firstOf, scanReady(tables, queue, types));
}

/** The first task of a key decides with its own limit. */
function withinKey(tables: Tables, limits: QueueLimits, lane: string, scan: ReadyScan): ReadyScan {
  if (scan.due === undefined) return scan;
  return limits.freeOf(tables, lane, scan.due.seq) > 0 ? scan : { ...scan, due: undefined };
}

export const NOTHING: ReadyScan = { due: undefined, nextDueAt: null };

function scanAllTypes(tables: Tables, lane: string): ReadyScan {
  let found = NOTHING;
  for (let first = tables.get<FirstOfType>(FIRST_TYPE, lane); first; ) {
    found = firstOf(found, scan(tables, lane, first.type, first));
    first = first.more ? tables.get<FirstOfType>(NEXT_TYPE, lane, first.type) : undefined;
  }
  return found;
}

function scan(tables: Tables, lane: string, type: string, first: ReadyEntry | undefined): ReadyScan {
  const next = (above: number) => tables.get<ReadyEntry>(NEXT_OF_TYPE, lane, type, above);
  let nextDueAt: number | null = null;
  for (let entry = first; entry; entry = next(entry.priority)) {
    if (entry.runAt <= tables.now) return { due: entry, nextDueAt };
    nextDueAt = Math.min(nextDueAt ?? entry.runAt, entry.runAt);
  }
  return { due: undefined, nextDueAt };
}

function firstOf(a: ReadyScan, b: ReadyScan): ReadyScan {
  const nextDueAt = a.nextDueAt === null ? b.nextDueAt : Math.min(a.nextDueAt, b.nextDueAt ?? a.nextDueAt);
  return { due: b.due && (!a.due || comesBefore(b.due, a.due)) ? b.due : a.due, nextDueAt };
}

const comesBefore = (a: ReadyEntry, b: ReadyEntry) =>
  (a.priority - b.priority || a.runAt - b.runAt || a.seq - b.seq) < 0;

export function probe(tables: Tables, { queue = DEFAULT_QUEUE, types }: Requests['probe']): Probe {
  if (isQueuePaused(tables, queue)) return { type: 'probe', due: false, dueInMs: null };
  const limits = limitsOf(tables, queue);
  const { due, nextDueAt } = limits ? scanWithin(tables, { queue, types, limits }) : scanReady(tables, queue, types);
  return { type: 'probe', due: due !== undefined, dueInMs: nextDueAt === null ? null : nextDueAt - tables.now };
}

const OF_TYPE = `FROM tasks INDEXED BY tasks_ready WHERE lane = ? AND type = ? AND ${READY}`;
const OF_WAITING = `FROM tasks INDEXED BY tasks_waiting WHERE queue = ? AND ${WAITING}`;

/** What a claim would find, and what keeps it from other tasks. */
export const readiness: Operation<'readiness'> = (tables, { queue = DEFAULT_QUEUE, types }) => {
  return { type: 'readiness', ...readinessOf(tables, queue, types) };
};

export function readinessOf(tables: Tables, queue: string, types: readonly string[] | undefined): Readiness {
  const limits = limitsOf(tables, queue);
  const own = laneCounts(tables, queue, types);
  const keyed = (limits?.lanes ?? []).map(({ lane }) => {
    const counts = laneCounts(tables, lane, types);
    const first = counts.ready > 0 ? scanReady(tables, lane, types).due : undefined;
    const free = first && limits ? limits.freeOf(tables, lane, first.seq) : 0;
    return { ...counts, within: Math.min(counts.ready, free) };
  });
  const lanes = [own, ...keyed];
  const total = (count: (lane: typeof own) => number) => Math.min(COUNT_CAP, sumOf(lanes, count));
  const due = sumOf(lanes, ({ ready }) => ready);
  const ready = Math.min(own.ready + sumOf(keyed, ({ within }) => within), limits?.free ?? COUNT_CAP, COUNT_CAP);
  const waiting = { from: OF_WAITING, values: [queue] };
  return {
    ready,
    delayed: total(({ delayed }) => delayed),
    nextDueAt: lanes.reduce((next: number | null, { nextDueAt }) => earlier(next, nextDueAt), null),
    blocked: countIn(tables, [narrowed(waiting, 'hold_reason IS NULL')]),
    held: countIn(tables, [narrowed(waiting, 'hold_reason IS NOT NULL')]),
    otherType: total(({ otherType }) => otherType),
    queuePaused: isQueuePaused(tables, queue),
    limited: limits ? Math.min(COUNT_CAP, due - ready) : 0,
  };
}

const sumOf = <Of>(all: readonly Of[], count: (one: Of) => number) => all.reduce((sum, one) => sum + count(one), 0);

const earlier = (a: number | null, b: number | null) => (a === null ? b : Math.min(a, b ?? a));

function laneCounts(tables: Tables, lane: string, types: readonly string[] | undefined) {
  const found = tables.all<{ type: string }>(READY_TYPES, lane, lane);
  const present = found.map(({ type }): Lane => ({ from: OF_TYPE, values: [lane, type] }));
  const isWanted = ({ values: [, type] }: Lane) => types === undefined || types.includes(type as string);
  const unwanted = present.filter((one) => !isWanted(one));
  const ranges = present.filter(isWanted).flatMap((one) => rangesOf(tables, one));
  const countWhere = (due: string) =>
    countIn(
      tables,
      ranges.map((range) => narrowed(range, due, tables.now)),
    );
  return {
    ready: countWhere('run_at <= ?'),
    delayed: countWhere('run_at > ?'),
    nextDueAt: nextDue(tables, ranges),
    otherType: countIn(tables, unwanted),
  };
}

export function isQueuePaused(tables: Tables, queue: string): boolean {
  return tables.get('SELECT 1 FROM queues WHERE name = ? AND paused_at IS NOT NULL', queue) !== undefined;
}

/** A part of an index; of `tasks_ready` with the priority fixed, a range in order of time. */
interface Lane {
  readonly from: string;
  readonly values: readonly (string | number)[];
}

function narrowed({ from, values }: Lane, condition: string, ...more: readonly number[]): Lane {
  return { from: `${from} AND ${condition}`, values: [...values, ...more] };
}

function rangesOf(tables: Tables, lane: Lane): Lane[] {
  const ranges: Lane[] = [];
  for (let above = LOWEST; ; ) {
    const { from, values } = narrowed(lane, 'priority > ?', above);
    const found = tables.get<{ priority: number }>(`SELECT priority ${from} ORDER BY priority LIMIT 1`, ...values);
    if (!found) return ranges;
    above = found.priority;
    ranges.push(narrowed(lane, 'priority = ?', above));
  }
}

function nextDue(tables: Tables, ranges: readonly Lane[]): number | null {
  const times = ranges.flatMap((range) => {
    const { from, values } = narrowed(range, 'run_at > ?', tables.now);
    return tables.get<{ runAt: number }>(`SELECT run_at ${from} ORDER BY run_at LIMIT 1`, ...values)?.runAt ?? [];
  });
  return times.length === 0 ? null : Math.min(...times);
}

/** Steps from type to type, so that a million tasks of one type cost one step. */
const READY_TYPES = `WITH RECURSIVE found (type) AS (
  SELECT min(type) FROM tasks INDEXED BY tasks_ready WHERE lane = ? AND ${READY} UNION ALL
  SELECT (SELECT min(type) FROM tasks INDEXED BY tasks_ready WHERE lane = ? AND ${READY} AND type > found.type)
    FROM found WHERE found.type IS NOT NULL
) SELECT type FROM found WHERE type IS NOT NULL`;

function countIn(tables: Tables, lanes: readonly Lane[]): number {
  return lanes.reduce((count, { from, values }) => {
    if (count === COUNT_CAP) return count;
    const counting = `SELECT count(*) AS more FROM (SELECT 1 ${from} LIMIT ?)`;
    return count + (tables.get<{ more: number }>(counting, ...values, COUNT_CAP - count)?.more ?? 0);
  }, 0);
}
