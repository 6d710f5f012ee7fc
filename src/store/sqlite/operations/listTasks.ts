import type { TaskStatus } from '../../task.ts';
import type { ListTasksOutcome, ListTasksRequest } from '../../taskOperationTypes.ts';
import { APART } from '../places.ts';
import type { Tables } from '../tables.ts';
import { type TaskRow, taskOf, WHOLE_TASK } from '../taskRows.ts';

const DEFAULT_LIMIT = 100;

/** A page of tasks in order of arrival. */
export function listTasks(tables: Tables, request: ListTasksRequest): ListTasksOutcome {
  const { order = 'oldest', limit = DEFAULT_LIMIT } = request;
  const { conditions, values } = conditionsOf(request, tables.now);
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const direction = order === 'newest' ? 'DESC' : 'ASC';
  const sql = `${WHOLE_TASK} ${indexFor(request.statuses)} ${where} ORDER BY seq ${direction} LIMIT ?`;
  const rows = tables.all<TaskRow>(sql, ...values, limit + 1);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { type: 'tasks', tasks: page.map((row) => taskOf(row, tables.now)), next: last ? String(last.seq) : null };
}

interface Conditions {
  readonly conditions: string[];
  readonly values: (string | number)[];
}

function conditionsOf(request: ListTasksRequest, now: number): Conditions {
  const { queue, statuses, types, parentId, after, order } = request;
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, ...added: (string | number)[]) => {
    conditions.push(condition);
    values.push(...added);
  };
  if (after !== undefined) add(order === 'newest' ? 'seq < ?' : 'seq > ?', Number(after));
  if (queue !== undefined) add('queue = ?', queue);
  if (parentId !== undefined) add('parent_id = ?', parentId);
  if (types) add('type IN (SELECT value FROM json_each(?))', JSON.stringify(types));
  if (statuses) {
    const any = statuses.map((status) => `(${STATUS_CONDITIONS[status]})`).join(' OR ');
    const moments = statuses.flatMap((status) => (STATUS_CONDITIONS[status].includes('?') ? [now] : []));
    add(`(${any || 'false'})`, ...moments);
    if (indexFor(statuses) !== '') add(APART);
  }
  return { conditions, values };
}

const STATUS_CONDITIONS: Readonly<Record<TaskStatus, string>> = {
  ready: `state = 'queued' AND hold_reason IS NULL AND unmet = 0 AND run_at <= ?`,
  delayed: `state = 'queued' AND hold_reason IS NULL AND unmet = 0 AND run_at > ?`,
  blocked: `state = 'queued' AND hold_reason IS NULL AND unmet > 0`,
  held: `state = 'queued' AND hold_reason IS NOT NULL`,
  claimed: 'seq IN (SELECT a.task_seq FROM workers w JOIN attempts a ON a.id = w.attempt_id)',
  verifying: `state = 'verifying'`,
  done: `state = 'done'`,
  dead: `state = 'dead'`,
  cancelled: `state = 'cancelled'`,
};

const APART_STATUSES: readonly TaskStatus[] = ['verifying', 'dead', 'cancelled'];

/** The few that ended badly are found without walking past the many that did not. */
function indexFor(statuses: readonly TaskStatus[] | undefined): string {
  return statuses?.length && statuses.every((status) => APART_STATUSES.includes(status))
    ? 'INDEXED BY tasks_apart'
    : '';
}
