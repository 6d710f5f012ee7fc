import type { Outcomes } from '../../outcomes.ts';
import type { Requests } from '../../requests.ts';
import type { TaskState } from '../../task.ts';
import { TASK_DEFAULTS } from '../../taskDefaults.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Operation, Tables } from '../tables.ts';
import { findTaskById, type TaskRow } from '../taskRows.ts';
import { addDependency, type Dependency, findDependency, hasFailed, isMet } from './dependants.ts';

type Refused = Extract<Outcomes['amendTask'], { type: 'refused' }>;

const ENDED: readonly TaskState[] = ['done', 'dead', 'cancelled'];

/** Changes the text, place or budgets of a task, or adds tasks that it waits for. */
export const amendTask: Operation<'amendTask'> = (tables, request) => {
  const task = findTaskById(tables, request.taskId);
  if (!task) return { type: 'unknownTask' };
  const { state, seq } = task;
  if (ENDED.includes(state)) return { type: 'refused', reason: 'state', state };
  const added = newDependencies(tables, task, request);
  if ('type' in added) return added;
  // a claimed task cannot wait: a dependency that failed meanwhile would never be counted
  if (added.length > 0 && state !== 'queued') return { type: 'refused', reason: 'state', state };
  const words = changedWords(task, request);
  const fields = changedFields(task, request);
  const isSame = added.length === 0 && Object.keys(words).length === 0 && Object.keys(fields).length === 0;
  if (isSame) return { type: 'unchanged', state };
  writeWords(tables, seq, words);
  writeFields(tables, seq, fields);
  const unmetDependencies = addDependencies(tables, task, added, request);
  const links = added.length > 0 && { addedDependencies: added.map(({ id }) => id).join(' '), unmetDependencies };
  const { title, body } = words;
  const change = {
    ...(title !== undefined && { title }),
    ...(body !== undefined && { bodyChanged: true }),
    ...links,
    ...fields,
  };
  recordEvent(tables, 'task.amended', { taskSeq: seq, actor: request.actor }, change);
  return { type: 'amended', state, unmetDependencies };
};

const DEPENDS_ALREADY = 'SELECT 1 FROM dependencies WHERE task_seq = ? AND depends_on = ?';

/** Includes met dependencies: a redrive could make any of them count again. */
const WAITS_FOR = `WITH RECURSIVE reached (seq) AS (
  SELECT ? UNION SELECT d.depends_on FROM dependencies d JOIN reached r ON d.task_seq = r.seq
) SELECT 1 FROM reached WHERE seq = ?`;

function newDependencies(tables: Tables, task: TaskRow, request: Requests['amendTask']): Dependency[] | Refused {
  const added: Dependency[] = [];
  for (const id of new Set(request.addDependsOn)) {
    const found = findDependency(tables, id);
    if (!found) return { type: 'refused', reason: 'unknownDependency', dependencyId: id };
    if (tables.get(DEPENDS_ALREADY, task.seq, found.seq)) continue;
    if (tables.get(WAITS_FOR, found.seq, task.seq)) return { type: 'refused', reason: 'cycle', dependencyId: id };
    if (hasFailed(found) && request.onDependencyFailure === 'cancel') {
      return { type: 'refused', reason: 'failedDependency', dependencyId: id };
    }
    added.push(found);
  }
  return added;
}

interface Words {
  readonly title?: string;
  readonly body?: string;
}

function changedWords(task: TaskRow, { title, body }: Requests['amendTask']): Words {
  return {
    ...(title !== undefined && title !== task.title && { title }),
    ...(body !== undefined && body !== task.body && { body }),
  };
}

const FIELDS = {
  queue: 'queue',
  priority: 'priority',
  timeBudgetMs: 'time_budget_ms',
  totalTimeMs: 'total_time_ms',
  costBudgetUsd: 'cost_budget_usd',
  tokenBudget: 'token_budget',
  repository: 'repository',
  base: 'base',
  judge: 'judge',
  concurrencyKey: 'concurrency_key',
  concurrencyLimit: 'concurrency_limit',
} as const;

type Fields = Readonly<Partial<Record<keyof typeof FIELDS, string | number | null>>>;

const FIELD_NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** The fields of a request that differ from the task's. */
function changedFields(task: TaskRow, request: Requests['amendTask']): Fields {
  const changed = FIELD_NAMES.filter((name) => request[name] !== undefined && request[name] !== task[name]);
  return Object.fromEntries(changed.map((name) => [name, request[name] ?? null]));
}

function writeFields(tables: Tables, seq: number, fields: Fields): void {
  for (const name of FIELD_NAMES) {
    const value = fields[name];
    if (value !== undefined) tables.run(`UPDATE tasks SET ${FIELDS[name]} = ? WHERE seq = ?`, value, seq);
  }
}

const PUT_BODY = 'INSERT INTO bodies VALUES (?, ?) ON CONFLICT (task_seq) DO UPDATE SET body = excluded.body';

function writeWords(tables: Tables, seq: number, { title, body }: Words): void {
  const put = 'UPDATE tasks SET title = coalesce(?, title), updated_at = ? WHERE seq = ?';
  tables.run(put, title ?? null, tables.now, seq);
  if (body !== undefined) tables.run(PUT_BODY, seq, body);
}

/** How many are unmet now. */
function addDependencies(
  tables: Tables,
  { seq, unmetDependencies }: TaskRow,
  added: readonly Dependency[],
  { onDependencyFailure = TASK_DEFAULTS.onDependencyFailure }: Requests['amendTask'],
): number {
  for (const on of added) addDependency(tables, seq, on, onDependencyFailure);
  const unmet = unmetDependencies + added.filter((on) => !isMet(on, onDependencyFailure)).length;
  if (added.length > 0) tables.run('UPDATE tasks SET unmet = ? WHERE seq = ?', unmet, seq);
  return unmet;
}
