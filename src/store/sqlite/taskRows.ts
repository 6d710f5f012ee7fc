import type { Task, TaskStatus } from '../task.ts';
import type { Tables } from './tables.ts';

/** A row of `tasks` with the names of `Task`. */
export interface TaskRow extends Omit<Task, 'status' | 'body' | 'result'> {
  readonly seq: number;
  readonly body?: string | null;
  readonly result?: string | null;
}

export const TASK_COLUMNS = `seq, id, queue, type, title, priority, state, run_at AS runAt, unmet AS unmetDependencies,
  epoch, attempt_id AS attemptId, failures, max_failures AS maxFailures, reclaims, max_reclaims AS maxReclaims,
  releases, max_releases AS maxReleases, backoff_ms AS backoffMs, time_budget_ms AS timeBudgetMs,
  cost_budget_usd AS costBudgetUsd, verify, dedupe_key AS dedupeKey, parent_id AS parentId,
  hold_reason AS holdReason, last_error AS lastError, created_at AS createdAt, updated_at AS updatedAt`;

/** With its body, and the result of its accepted attempt. */
export const WHOLE_TASK = `SELECT ${TASK_COLUMNS},
  (SELECT body FROM bodies WHERE task_seq = tasks.seq) AS body,
  CASE WHEN state IN ('done', 'verifying')
    THEN (SELECT result FROM attempts WHERE place = (tasks.seq << 24 | tasks.epoch)) END AS result
  FROM tasks`;

/** Field by field: copying all but one takes four times as long, at every claim. */
export function taskOf(row: TaskRow, now: number): Task {
  return {
    id: row.id,
    queue: row.queue,
    type: row.type,
    title: row.title,
    body: row.body ?? '',
    priority: row.priority,
    state: row.state,
    status: statusOf(row, now),
    runAt: row.runAt,
    unmetDependencies: row.unmetDependencies,
    epoch: row.epoch,
    attemptId: row.attemptId,
    failures: row.failures,
    maxFailures: row.maxFailures,
    reclaims: row.reclaims,
    maxReclaims: row.maxReclaims,
    releases: row.releases,
    maxReleases: row.maxReleases,
    backoffMs: row.backoffMs,
    timeBudgetMs: row.timeBudgetMs,
    costBudgetUsd: row.costBudgetUsd,
    verify: row.verify,
    dedupeKey: row.dedupeKey,
    parentId: row.parentId,
    holdReason: row.holdReason,
    lastError: row.lastError,
    result: row.result ?? null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

type StatusFacts = Pick<Task, 'state' | 'runAt' | 'unmetDependencies' | 'holdReason'>;

export function statusOf(task: StatusFacts, now: number): TaskStatus {
  if (task.state !== 'queued') return task.state;
  if (task.holdReason !== null) return 'held';
  if (task.unmetDependencies > 0) return 'blocked';
  return task.runAt > now ? 'delayed' : 'ready';
}

export function findTaskById(tables: Tables, id: string): TaskRow | undefined {
  return tables.get<TaskRow>(`${WHOLE_TASK} WHERE id = ?`, id);
}
