import { READY } from '../indexConditions.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Operation, Tables } from '../tables.ts';
import type { TaskRow } from '../taskRows.ts';

/** Between the queue and the key in the name of a lane; no queue and no key has it. */
const BETWEEN = '\x01';
const AFTER = '\x02';

interface KeyedLane {
  readonly lane: string;
  readonly key: string;
}

/** What keeps tasks of a queue back that are due. Counts are read when they are needed, inside the transaction of the claim. */
export interface QueueLimits {
  /** How many more tasks of the queue may be claimed; null without a limit. */
  readonly free: number | null;
  /** Of keys with tasks that could be claimed now or later. */
  readonly lanes: readonly KeyedLane[];
  /** How many more tasks of the lane's key may be claimed, by the limit of this task. */
  freeOf(tables: Tables, lane: string, seq: number): number;
}

const MAX_CLAIMED = 'SELECT max_claimed FROM queues WHERE name = ?';

/** Undefined for a queue without a limit and without keys. */
export function limitsOf(tables: Tables, queue: string): QueueLimits | undefined {
  const limit = tables.get<{ maxClaimed: number | null }>(MAX_CLAIMED, queue)?.maxClaimed ?? null;
  const lanes = lanesOf(tables, queue);
  if (limit === null && lanes.length === 0) return undefined;
  const free = limit === null ? null : Math.max(0, limit - inProgress(tables, 'queue', queue));
  const keys = new Map(lanes.map(({ lane, key }) => [lane, key]));
  return { free, lanes, freeOf: (_, lane, seq) => freeOfKey(tables, keys.get(lane) ?? '', seq) };
}

const NEXT_LANE = `SELECT min(lane) AS lane FROM tasks INDEXED BY tasks_ready WHERE lane > ? AND lane < ? AND ${READY}`;

/** One step per key, however many tasks it has. */
function lanesOf(tables: Tables, queue: string): KeyedLane[] {
  const found: KeyedLane[] = [];
  for (let after = queue + BETWEEN; ; ) {
    const lane = tables.get<{ lane: string | null }>(NEXT_LANE, after, queue + AFTER)?.lane ?? null;
    if (lane === null) return found;
    found.push({ lane, key: lane.slice(queue.length + 1) });
    after = lane;
  }
}

/** In the statement that a claim begins with: whether it has to look at limits at all. */
export const HAS_LANES = `EXISTS (SELECT 1 FROM tasks INDEXED BY tasks_ready WHERE lane > ? || char(1) AND lane < ? || char(2) AND ${READY})`;

const CLAIMED_WITH = (column: string) => `SELECT count(*) AS count FROM workers w JOIN attempts a ON a.id = w.attempt_id
  JOIN tasks t ON t.seq = a.task_seq WHERE t.${column} = ?`;
const VERIFIED_WITH = (column: string) =>
  `SELECT count(*) AS count FROM tasks INDEXED BY tasks_apart WHERE state = 'verifying' AND ${column} = ?`;

const COUNTS = {
  queue: [CLAIMED_WITH('queue'), VERIFIED_WITH('queue')],
  concurrency_key: [CLAIMED_WITH('concurrency_key'), VERIFIED_WITH('concurrency_key')],
} as const;

/** Every claimed task has a worker. */
function inProgress(tables: Tables, column: keyof typeof COUNTS, value: string): number {
  return COUNTS[column].reduce((sum, sql) => sum + (tables.get<{ count: number }>(sql, value)?.count ?? 0), 0);
}

const LIMIT_OF_TASK = 'SELECT coalesce(concurrency_limit, 1) AS most FROM tasks WHERE seq = ?';

function freeOfKey(tables: Tables, key: string, seq: number): number {
  const most = tables.get<{ most: number }>(LIMIT_OF_TASK, seq)?.most ?? 1;
  return Math.max(0, most - inProgress(tables, 'concurrency_key', key));
}

/** Whether a limit keeps a task back that is otherwise ready. */
export function isKeptBack(tables: Tables, { seq, queue, concurrencyKey }: TaskRow): boolean {
  const limit = tables.get<{ maxClaimed: number | null }>(MAX_CLAIMED, queue)?.maxClaimed ?? null;
  if (limit !== null && inProgress(tables, 'queue', queue) >= limit) return true;
  return concurrencyKey !== null && freeOfKey(tables, concurrencyKey, seq) === 0;
}

const SET_LIMIT = `INSERT INTO queues (name, max_claimed) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET max_claimed = excluded.max_claimed`;

/** At most this many tasks of a queue are in progress at the same time. */
export const limitQueue: Operation<'limitQueue'> = (tables, { queue, limit, actor }) => {
  const before = tables.get<{ maxClaimed: number | null }>(MAX_CLAIMED, queue)?.maxClaimed ?? null;
  if (before === limit) return { type: 'unchanged' };
  tables.run(SET_LIMIT, queue, limit);
  recordEvent(tables, 'queue.limited', { actor }, { queue, limit });
  return { type: 'changed' };
};

const LIMITED_QUEUES =
  'SELECT name AS queue, max_claimed AS "limit" FROM queues WHERE max_claimed IS NOT NULL ORDER BY name';

const KEYS = `SELECT key, count(*) AS in_progress FROM (
  SELECT t.concurrency_key AS key FROM workers w JOIN attempts a ON a.id = w.attempt_id JOIN tasks t ON t.seq = a.task_seq
    WHERE t.concurrency_key IS NOT NULL
  UNION ALL SELECT concurrency_key FROM tasks INDEXED BY tasks_apart WHERE state = 'verifying' AND concurrency_key IS NOT NULL
) GROUP BY key ORDER BY key`;

export const limits: Operation<'limits'> = (tables) => {
  const queues = tables.all<{ queue: string; limit: number }>(LIMITED_QUEUES);
  return {
    type: 'limits',
    queues: queues.map((one) => ({ ...one, inProgress: inProgress(tables, 'queue', one.queue) })),
    keys: tables.all<{ key: string; inProgress: number }>(KEYS),
  };
};
