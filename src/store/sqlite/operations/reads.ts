import type { StoreEvent } from '../../event.ts';
import type { Outcomes } from '../../outcomes.ts';
import type { Requests } from '../../requests.ts';
import type { TaskDependency, TaskStatus } from '../../task.ts';
import { attemptsOf } from '../attemptRows.ts';
import { APART, READY, WAITING } from '../indexConditions.ts';
import type { Operation, Tables } from '../tables.ts';
import { findTaskById, TASK_COLUMNS, type TaskRow } from '../taskRows.ts';
import { workersWhere } from '../workerRows.ts';

/** A shorter prefix would name too many tasks; more candidates would not help. */
const SHORTEST_PREFIX = 4;
const MOST_CANDIDATES = 5;

const BY_PREFIX = `SELECT id FROM tasks WHERE id >= ? AND id < ? || char(1114111) ORDER BY id LIMIT ${MOST_CANDIDATES}`;

export const task: Operation<'task'> = (tables, { id }) => {
  const exact = findTaskById(tables, id);
  if (exact) return found(tables, exact);
  if (id.length < SHORTEST_PREFIX) return { type: 'unknownTask' };
  const candidates = tables.all<{ id: string }>(BY_PREFIX, id, id).map((row) => row.id);
  const [only, ...others] = candidates;
  if (only === undefined) return { type: 'unknownTask' };
  if (others.length > 0) return { type: 'ambiguous', ids: candidates };
  const row = findTaskById(tables, only);
  return row ? found(tables, row) : { type: 'unknownTask' };
};

const DEPENDENCIES = `SELECT t.id AS taskId, t.state, d.on_failure, d.met
  FROM dependencies d JOIN tasks t ON t.seq = d.depends_on WHERE d.task_seq = ? ORDER BY t.seq`;

function found(tables: Tables, { seq, ...row }: TaskRow): Outcomes['task'] {
  const rows = tables.all<Omit<TaskDependency, 'met'> & { met: number }>(DEPENDENCIES, seq);
  const dependsOn = rows.map((dependency) => ({ ...dependency, met: dependency.met === 1 }));
  return { type: 'found', task: { ...row, dependsOn } };
}

const DEFAULT_LIMIT = 100;

/** A page of tasks in order of arrival. */
export const listTasks: Operation<'listTasks'> = (tables, request) => {
  const { order = 'oldest', limit = DEFAULT_LIMIT } = request;
  const { conditions, values } = conditionsOf(tables, request);
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const direction = order === 'newest' ? 'DESC' : 'ASC';
  const from = `FROM tasks ${where} ORDER BY seq ${direction} LIMIT ?`;
  const rows = tables.all<TaskRow>(`SELECT seq, ${TASK_COLUMNS} ${from}`, tables.now, ...values, limit + 1);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { type: 'tasks', tasks: page.map(({ seq: _, ...row }) => row), next: last ? String(last.seq) : null };
};

function conditionsOf(tables: Tables, request: Requests['listTasks']) {
  const { queue, statuses, types, parentId, after, order } = request;
  const isWalk = statuses !== undefined && readsAll(tables, statuses);
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, ...added: (string | number)[]) => {
    conditions.push(condition);
    values.push(...added);
  };
  if (after !== undefined) add(order === 'newest' ? 'seq < ?' : 'seq > ?', Number(after));
  // with `+` not by the index of queues: a queue has more tasks than a status, unless all are read in order
  if (queue !== undefined) add(statuses && !isWalk ? '+queue = ?' : 'queue = ?', queue);
  if (parentId !== undefined) add('parent_id = ?', parentId);
  if (types) add('type IN (SELECT value FROM json_each(?))', JSON.stringify(types));
  if (statuses && isWalk) {
    add(
      `(${statuses.map((status) => `(${IN_ORDER[status]})`).join(' OR ')})`,
      ...nowFor(statuses, IN_ORDER, tables.now),
    );
  } else if (statuses) {
    const few = statuses.map((status) => SEQ_OF[status]).join(' UNION ALL ');
    add(few === '' ? 'false' : `seq IN (${few})`, ...nowFor(statuses, SEQ_OF, tables.now));
  }
  return { conditions, values };
}

type ByStatus = Readonly<Record<TaskStatus, string>>;

const nowFor = (statuses: readonly TaskStatus[], by: ByStatus, now: number) =>
  statuses.flatMap((status) => (by[status].includes('?') ? [now] : []));

const CLAIMED = 'SELECT a.task_seq FROM workers w JOIN attempts a ON a.id = w.attempt_id';

/** For a walk through all tasks in order, which ends when the page is full. */
const IN_ORDER: ByStatus = {
  ready: `state = 'queued' AND hold_reason IS NULL AND unmet = 0 AND run_at <= ?`,
  delayed: `state = 'queued' AND hold_reason IS NULL AND unmet = 0 AND run_at > ?`,
  blocked: `state = 'queued' AND hold_reason IS NULL AND unmet > 0`,
  held: `state = 'queued' AND hold_reason IS NOT NULL`,
  claimed: `seq IN (${CLAIMED})`,
  verifying: `state = 'verifying'`,
  done: `state = 'done'`,
  dead: `state = 'dead'`,
  cancelled: `state = 'cancelled'`,
};

const OF_READY = `SELECT seq FROM tasks INDEXED BY tasks_ready WHERE ${READY}`;
const OF_WAITING = `SELECT seq FROM tasks INDEXED BY tasks_waiting WHERE ${WAITING}`;
const OF_APART = `SELECT seq FROM tasks INDEXED BY tasks_apart WHERE ${APART}`;

/** Without reading the many that are done. */
const SEQ_OF: ByStatus = {
  ready: `${OF_READY} AND run_at <= ?`,
  delayed: `${OF_READY} AND run_at > ?`,
  blocked: `${OF_WAITING} AND hold_reason IS NULL`,
  held: `${OF_WAITING} AND hold_reason IS NOT NULL`,
  claimed: CLAIMED,
  verifying: `${OF_APART} AND state = 'verifying'`,
  done: `SELECT seq FROM tasks WHERE state = 'done'`,
  dead: `${OF_APART} AND state = 'dead'`,
  cancelled: `${OF_APART} AND state = 'cancelled'`,
};

/** Above this, sorting those that wait takes longer than finding the first of them among all. */
const MOST_SORTED = 50_000;
const MANY_READY = `SELECT 1 AS many FROM tasks INDEXED BY tasks_ready WHERE ${READY} LIMIT 1 OFFSET ${MOST_SORTED}`;
const MANY_WAITING = `SELECT 1 AS many FROM tasks INDEXED BY tasks_waiting WHERE ${WAITING} LIMIT 1 OFFSET ${MOST_SORTED}`;
const QUEUED: readonly TaskStatus[] = ['ready', 'delayed', 'blocked', 'held'];

/** Most tasks are done, so a page of those is found soon; and so is one of those that wait, if they are very many. */
function readsAll(tables: Tables, statuses: readonly TaskStatus[]): boolean {
  if (statuses.includes('done')) return true;
  if (!statuses.some((status) => QUEUED.includes(status))) return false;
  return tables.get(MANY_READY) !== undefined || tables.get(MANY_WAITING) !== undefined;
}

const COUNT_READY = `SELECT coalesce(sum(run_at <= ?), 0) AS ready, coalesce(sum(run_at > ?), 0) AS delayed,
  min(CASE WHEN run_at > ? THEN run_at END) AS next_due_at FROM tasks INDEXED BY tasks_ready
  WHERE ${READY}`;
/** By lanes, which the index has: the column of the queue would have to be read from each task. */
const COUNT_READY_OF_LANES = `${COUNT_READY} AND lane >= ? AND lane < ?`;
const COUNT_WAITING = `SELECT count(*) - count(hold_reason) AS blocked, count(hold_reason) AS held
  FROM tasks INDEXED BY tasks_waiting WHERE ${WAITING} AND (? IS NULL OR queue = ?)`;
const COUNT_APART = `SELECT coalesce(sum(state = 'verifying'), 0) AS verifying, coalesce(sum(state = 'dead'), 0) AS dead,
  coalesce(sum(state = 'cancelled'), 0) AS cancelled FROM tasks INDEXED BY tasks_apart
  WHERE ${APART} AND (? IS NULL OR queue = ?)`;
const COUNT_CLAIMED = `SELECT count(*) AS claimed FROM workers w JOIN attempts a ON a.id = w.attempt_id
  JOIN tasks t ON t.seq = a.task_seq WHERE (? IS NULL OR t.queue = ?)`;
const ALL = 'SELECT count(*) AS total FROM tasks INDEXED BY tasks_by_queue';
const ALL_OF_QUEUE = `${ALL} WHERE queue = ?`;

/** The number of tasks per status; reads whole indexes, so it is for people, not for loops. */
export const counts: Operation<'counts'> = (tables, request) => {
  const queue = request.queue ?? null;
  const { now } = tables;
  const [countReady, lanes] = queue === null ? [COUNT_READY, []] : [COUNT_READY_OF_LANES, [queue, `${queue}\x02`]];
  const ready = row<'ready' | 'delayed' | 'nextDueAt'>(tables, countReady, now, now, now, ...lanes);
  const waiting = row<'blocked' | 'held'>(tables, COUNT_WAITING, queue, queue);
  const apart = row<'verifying' | 'dead' | 'cancelled'>(tables, COUNT_APART, queue, queue);
  const { claimed } = row<'claimed'>(tables, COUNT_CLAIMED, queue, queue);
  const { total } = queue === null ? row<'total'>(tables, ALL) : row<'total'>(tables, ALL_OF_QUEUE, queue);
  const { nextDueAt, ...due } = ready;
  const others = { ...due, ...waiting, ...apart, claimed };
  const done = Object.values(others).reduce((left, count) => left - count, total);
  return { type: 'counts', ...others, done, nextDueAt: nextDueAt ?? null };
};

function row<Name extends string>(tables: Tables, sql: string, ...values: (string | number | null)[]) {
  return { ...(tables.get(sql, ...values) as Record<Name, number>) };
}

const CONDITION = `(? IS NULL OR w.queue = ?) AND (? IS NULL OR w.id = ?) AND (? IS NULL OR w.session_id = ?)
  AND (? = 0 OR w.state IN ('launching', 'live', 'draining'))`;

export const workers: Operation<'workers'> = (tables, request) => {
  const { queue = null, workerId = null, sessionId = null, running = false } = request;
  const values = [queue, queue, workerId, workerId, sessionId, sessionId, running ? 1 : 0];
  return { type: 'workers', now: tables.now, workers: workersWhere(tables, CONDITION, ...values) };
};

export const attempts: Operation<'attempts'> = (tables, { taskId }) => {
  return { type: 'attempts', attempts: attemptsOf(tables, taskId) };
};

interface EventRow extends Omit<StoreEvent, 'cursor' | 'data'> {
  readonly seq: number;
  readonly data: string;
}

const SELECT = `SELECT e.seq, e.at, e.kind, t.id AS taskId, e.attempt_id, e.worker_id, e.epoch,
  e.actor, e.data`;
const OF_ALL = `${SELECT} FROM events e LEFT JOIN tasks t ON t.seq = e.task_seq`;

/** A task names its last event, and each event its predecessor. CROSS JOIN: follows that chain instead of reading all events. */
const OF_TASK = `WITH RECURSIVE chain (seq) AS (
  SELECT last_event FROM tasks WHERE id = ? UNION ALL
  SELECT previous FROM chain CROSS JOIN events USING (seq) WHERE previous IS NOT NULL
) ${SELECT} FROM chain CROSS JOIN events e ON e.seq = chain.seq CROSS JOIN tasks t ON t.seq = e.task_seq`;

/** Only one process writes at a time, so numbers are in the order of commits. */
export const events: Operation<'events'> = (tables, request) => {
  const { after, limit = 1_000, taskId, newest = false } = request;
  const from = after === undefined ? (newest ? Number.MAX_SAFE_INTEGER : 0) : Number(after);
  const order = newest ? 'WHERE e.seq < ? ORDER BY e.seq DESC LIMIT ?' : 'WHERE e.seq > ? ORDER BY e.seq LIMIT ?';
  const rows =
    taskId === undefined
      ? tables.all<EventRow>(`${OF_ALL} ${order}`, from, limit)
      : tables.all<EventRow>(`${OF_TASK} ${order}`, taskId, from, limit);
  const events = rows.map(({ seq, data, ...row }) => ({ ...row, cursor: String(seq), data: JSON.parse(data) }));
  return { type: 'events', events, missed: taskId === undefined && isTrimmed(tables, { after, newest, limit }, rows) };
};

const TRIMMED_TO = 'SELECT trimmed_to FROM meta';

/** Whether events between `after` and these may have been removed; those of a task are all there. */
function isTrimmed(
  tables: Tables,
  { after, newest, limit }: { after: string | undefined; newest: boolean; limit: number },
  rows: readonly EventRow[],
): boolean {
  const trimmedTo = tables.get<{ trimmedTo: number }>(TRIMMED_TO)?.trimmedTo ?? 0;
  if (!newest) return Number(after ?? 0) < trimmedTo;
  return trimmedTo > 0 && (rows.length < limit || (rows.at(-1)?.seq ?? 0) <= trimmedTo);
}
