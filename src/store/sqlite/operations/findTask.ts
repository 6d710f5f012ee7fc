import type { TaskDependency } from '../../task.ts';
import type { FindTaskOutcome, FindTaskRequest } from '../../taskOperationTypes.ts';
import type { Tables } from '../tables.ts';
import { findTaskById, type TaskRow, taskOf } from '../taskRows.ts';

/** Fewer would name too many; more than a handful of candidates help nobody. */
const SHORTEST_PREFIX = 4;
const MOST_CANDIDATES = 5;

const BY_PREFIX = `SELECT id FROM tasks WHERE id >= ? AND id < ? || char(1114111) ORDER BY id LIMIT ${MOST_CANDIDATES}`;

export function task(tables: Tables, { id }: FindTaskRequest): FindTaskOutcome {
  const exact = findTaskById(tables, id);
  if (exact) return found(tables, exact);
  if (id.length < SHORTEST_PREFIX) return { type: 'unknownTask' };
  const candidates = tables.all<{ id: string }>(BY_PREFIX, id, id).map((row) => row.id);
  const [only, ...others] = candidates;
  if (only === undefined) return { type: 'unknownTask' };
  if (others.length > 0) return { type: 'ambiguous', ids: candidates };
  const row = findTaskById(tables, only);
  return row ? found(tables, row) : { type: 'unknownTask' };
}

const DEPENDENCIES = `SELECT t.id AS taskId, t.state, d.on_failure AS onFailure, d.met
  FROM dependencies d JOIN tasks t ON t.seq = d.depends_on WHERE d.task_seq = ? ORDER BY t.seq`;

function found(tables: Tables, row: TaskRow): FindTaskOutcome {
  const rows = tables.all<Omit<TaskDependency, 'met'> & { met: number }>(DEPENDENCIES, row.seq);
  const dependsOn = rows.map((dependency) => ({ ...dependency, met: dependency.met === 1 }));
  return { type: 'found', task: { ...taskOf(row, tables.now), dependsOn } };
}
