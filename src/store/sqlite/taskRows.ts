import type { Task } from '../task.ts';
import type { Tables } from './tables.ts';

/** A task with its number. */
export type TaskRow = Task & { readonly seq: number };

/** A whole `Task`: at the time that is the statement's first value, with the result of its accepted attempt. */
export const TASK_COLUMNS = `id, queue, type, title, priority, state, CASE WHEN state <> 'queued' THEN state
    WHEN hold_reason IS NOT NULL THEN 'held' WHEN unmet > 0 THEN 'blocked' WHEN run_at > ? THEN 'delayed' ELSE 'ready' END AS status,
  run_at, unmet AS unmet_dependencies, epoch, attempt_id, failures, max_failures, reclaims, max_reclaims, releases, max_releases,
  backoff_ms, time_budget_ms, cost_budget_usd, token_budget, total_time_ms, counted_from, verify, judge, verify_holder, verify_until, dedupe_key, parent_id, hold_reason, repository, base, concurrency_key, concurrency_limit, last_error, created_at, updated_at,
  coalesce((SELECT body FROM bodies WHERE task_seq = tasks.seq), '') AS body, CASE WHEN state IN ('done', 'verifying')
    THEN (SELECT result FROM attempts WHERE place = (tasks.seq << 24 | tasks.epoch)) END AS result`;

const BY_SEQ = `SELECT ${TASK_COLUMNS} FROM tasks WHERE seq = ?`;

/** The row itself is the task: copying it takes longer than reading it, at every claim. */
export function taskBySeq(tables: Tables, seq: number): Task {
  const task = tables.get<Task>(BY_SEQ, tables.now, seq);
  if (!task) throw new Error(`Task ${seq} disappeared inside its own transaction`);
  return task;
}

export function findTaskById(tables: Tables, id: string): TaskRow | undefined {
  return tables.get<TaskRow>(`SELECT seq, ${TASK_COLUMNS} FROM tasks WHERE id = ?`, tables.now, id);
}
