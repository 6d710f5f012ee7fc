import type { Claimed, ClaimRequest } from '../claimTypes.ts';
import { newAttempt } from '../newAttempt.ts';
import type { Task } from '../task.ts';

/** How the database tells of a claim that it just made: the bare row. Naming its parts there took longer than claiming. */
export interface ClaimedRow {
  readonly type: 'claimedRow';
  readonly now: number;
  readonly task: TaskColumns;
  readonly body: string | null;
  readonly previous: Claimed['previous'];
}

type TaskColumns = Pick<
  Task,
  'id' | 'queue' | 'type' | 'title' | 'priority' | 'epoch' | 'failures' | 'reclaims' | 'releases' | 'verify'
> & {
  readonly run_at: number;
  readonly unmet: number;
  readonly max_failures: number;
  readonly max_reclaims: number;
  readonly max_releases: number;
  readonly backoff_ms: number;
  readonly time_budget_ms: number | null;
  readonly cost_budget_usd: number | null;
  readonly dedupe_key: string | null;
  readonly parent_id: string | null;
  readonly hold_reason: string | null;
  readonly last_error: string | null;
  readonly created_at: number;
};

export function claimedOf({ now, task: row, body, previous }: ClaimedRow, request: ClaimRequest): Claimed {
  const task = taskOf(row, { body: body ?? '', attemptId: request.claimKey, now });
  const attempt = newAttempt(task, request, now);
  const { taskId, id: attemptId, epoch, workerId, incarnation } = attempt;
  return {
    type: 'claimed',
    lease: { taskId, attemptId, epoch, workerId, incarnation },
    task,
    attempt,
    attemptNumber: task.failures + task.reclaims + task.releases + 1,
    previous,
  };
}

interface ClaimedNow {
  readonly body: string;
  readonly attemptId: string;
  readonly now: number;
}

function taskOf(row: TaskColumns, { body, attemptId, now }: ClaimedNow): Task {
  const { id, queue, type, title, priority, epoch, failures, reclaims, releases, verify } = row;
  return {
    id,
    queue,
    type,
    title,
    body,
    priority,
    state: 'claimed',
    status: 'claimed',
    runAt: row.run_at,
    unmetDependencies: row.unmet,
    epoch,
    attemptId,
    failures,
    maxFailures: row.max_failures,
    reclaims,
    maxReclaims: row.max_reclaims,
    releases,
    maxReleases: row.max_releases,
    backoffMs: row.backoff_ms,
    timeBudgetMs: row.time_budget_ms,
    costBudgetUsd: row.cost_budget_usd,
    verify,
    dedupeKey: row.dedupe_key,
    parentId: row.parent_id,
    holdReason: row.hold_reason,
    result: null,
    lastError: row.last_error,
    createdAt: row.created_at,
    updatedAt: now,
  };
}
