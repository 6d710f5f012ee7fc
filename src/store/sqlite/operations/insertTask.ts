import type { PlannedTask } from '../../planBatch.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';

export interface TaskInsert {
  readonly seq: number;
  readonly task: PlannedTask;
  readonly dependencies: readonly { readonly seq: number; readonly met: boolean }[];
  readonly actor: string | undefined;
}

const INSERT = `INSERT INTO tasks (seq, id, queue, type, priority, state, run_at, unmet, max_failures, max_reclaims, max_releases,
  backoff_ms, created_at, updated_at, time_budget_ms, cost_budget_usd, dedupe_key, parent_id, hold_reason, verify, title)
  VALUES (?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export function insertTask(tables: Tables, { seq, task, dependencies, actor }: TaskInsert): void {
  const { now } = tables;
  const { id, queue, type, priority, maxFailures, maxReclaims, maxReleases, backoffMs, holdReason } = task;
  const runAt = Math.max(now + task.delayMs, task.runAt, now);
  const unmet = dependencies.filter(({ met }) => !met).length;
  const counts = [maxFailures, maxReclaims, maxReleases, backoffMs];
  const budgets = [task.timeBudgetMs, task.costBudgetUsd];
  const texts = [task.dedupeKey, task.parentId, holdReason, task.verify, task.title];
  tables.run(INSERT, seq, id, queue, type, priority, runAt, unmet, ...counts, now, now, ...budgets, ...texts);
  if (task.body !== '') tables.run('INSERT INTO bodies VALUES (?, ?)', seq, task.body);
  const insertDependency = 'INSERT INTO dependencies VALUES (?, ?, ?, ?)';
  for (const { seq: dependsOn, met } of dependencies) {
    tables.run(insertDependency, seq, dependsOn, task.onDependencyFailure, met ? 1 : 0);
  }
  const change = { state: 'queued', runAt, unmetDependencies: unmet, holdReason };
  recordEvent(tables, 'task.added', { taskSeq: seq, actor }, change);
}
