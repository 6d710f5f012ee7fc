import type { Outcomes } from '../../outcomes.ts';
import type { Requests } from '../../requests.ts';
import type { TaskState } from '../../task.ts';
import { TASK_DEFAULTS } from '../../taskDefaults.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Operation, Tables } from '../tables.ts';
import { findTaskById, type TaskRow } from '../taskRows.ts';

type Refused = Extract<Outcomes['amendTask'], { type: 'refused' }>;

interface Added {
  readonly seq: number;
  readonly id: string;
  readonly state: TaskState;
}

const ENDED: readonly TaskState[] = ['done', 'dead', 'cancelled'];

/** Changes the text of a task, or adds tasks that it waits for. */
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
  if (added.length === 0 && Object.keys(words).length === 0) return { type: 'unchanged', state };
  writeWords(tables, seq, words);
  const unmetDependencies = addDependencies(tables, task, added, request);
  const links = added.length > 0 && { addedDependencies: added.map(({ id }) => id).join(' '), unmetDependencies };
  const { title, body } = words;
  const change = { ...(title !== undefined && { title }), ...(body !== undefined && { bodyChanged: true }), ...links };
  recordEvent(tables, 'task.amended', { taskSeq: seq, actor: request.actor }, change);
  return { type: 'amended', state, unmetDependencies };
};

const DEPENDS_ALREADY = 'SELECT 1 FROM dependencies WHERE task_seq = ? AND depends_on = ?';

/** Includes met dependencies: a redrive could make any of them count again. */
const WAITS_FOR = `WITH RECURSIVE reached (seq) AS (
  SELECT ? UNION SELECT d.depends_on FROM dependencies d JOIN reached r ON d.task_seq = r.seq
) SELECT 1 FROM reached WHERE seq = ?`;

function newDependencies(tables: Tables, task: TaskRow, request: Requests['amendTask']): Added[] | Refused {
  const added: Added[] = [];
  for (const id of new Set(request.addDependsOn)) {
    const found = tables.get<Added>('SELECT seq, id, state FROM tasks WHERE id = ?', id);
    if (!found) return { type: 'refused', reason: 'unknownDependency', dependencyId: id };
    if (tables.get(DEPENDS_ALREADY, task.seq, found.seq)) continue;
    if (tables.get(WAITS_FOR, found.seq, task.seq)) return { type: 'refused', reason: 'cycle', dependencyId: id };
    const failed = found.state === 'dead' || found.state === 'cancelled';
    if (failed && request.onDependencyFailure === 'cancel') {
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
  added: readonly Added[],
  { onDependencyFailure = TASK_DEFAULTS.onDependencyFailure }: Requests['amendTask'],
): number {
  let unmet = unmetDependencies;
  for (const { seq: dependsOn, state } of added) {
    const failed = state === 'dead' || state === 'cancelled';
    const met = state === 'done' || (failed && onDependencyFailure === 'run');
    tables.run('INSERT INTO dependencies VALUES (?, ?, ?, ?)', seq, dependsOn, onDependencyFailure, met ? 1 : 0);
    if (!met) unmet++;
  }
  if (added.length > 0) tables.run('UPDATE tasks SET unmet = ? WHERE seq = ?', unmet, seq);
  return unmet;
}
