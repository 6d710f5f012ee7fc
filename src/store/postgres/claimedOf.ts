import type { Claimed, ClaimRequest } from '../claimTypes.ts';
import { newAttempt } from '../newAttempt.ts';
import type { Task } from '../task.ts';
import { DEFAULT_QUEUE } from '../taskDefaults.ts';

/** What is told of a task that was just claimed; the rest is known by that. In this order, without names: it is read fast. */
export const CLAIMED_COLUMNS = [
  'id',
  'type',
  'title',
  'priority',
  'run_at',
  'epoch',
  'failures',
  'max_failures',
  'reclaims',
  'max_reclaims',
  'releases',
  'max_releases',
  'backoff_ms',
  'time_budget_ms',
  'cost_budget_usd',
  'verify',
  'dedupe_key',
  'parent_id',
  'last_error',
  'created_at',
] as const;

type ClaimedColumns = readonly [
  id: string,
  type: string,
  title: string,
  priority: number,
  runAt: number,
  epoch: number,
  failures: number,
  maxFailures: number,
  reclaims: number,
  maxReclaims: number,
  releases: number,
  maxReleases: number,
  backoffMs: number,
  timeBudgetMs: number | null,
  costBudgetUsd: number | null,
  verify: string | null,
  dedupeKey: string | null,
  parentId: string | null,
  lastError: string | null,
  createdAt: number,
];

/** How the database tells of a claim that went the short way. Naming the parts there took longer than claiming. */
export interface ClaimedRow {
  readonly type: 'claimedRow';
  readonly now: number;
  readonly task: ClaimedColumns;
  readonly body: string | null;
  readonly previous: Claimed['previous'];
}

export function claimedOf(row: ClaimedRow, request: ClaimRequest): Claimed {
  const task = taskOf(row, request);
  const attempt = newAttempt(task, request, row.now);
  const { taskId, id: attemptId, epoch, workerId, incarnation } = attempt;
  return {
    type: 'claimed',
    lease: { taskId, attemptId, epoch, workerId, incarnation },
    task,
    attempt,
    attemptNumber: task.failures + task.reclaims + task.releases + 1,
    previous: row.previous,
  };
}

function taskOf({ task, body, now }: ClaimedRow, { queue = DEFAULT_QUEUE, claimKey }: ClaimRequest): Task {
  return {
    id: task[0],
    queue,
    type: task[1],
    title: task[2],
    body: body ?? '',
    priority: task[3],
    state: 'claimed',
    status: 'claimed',
    runAt: task[4],
    unmetDependencies: 0,
    epoch: task[5],
    attemptId: claimKey,
    failures: task[6],
    maxFailures: task[7],
    reclaims: task[8],
    maxReclaims: task[9],
    releases: task[10],
    maxReleases: task[11],
    backoffMs: task[12],
    timeBudgetMs: task[13],
    costBudgetUsd: task[14],
    verify: task[15],
    dedupeKey: task[16],
    parentId: task[17],
    holdReason: null,
    result: null,
    lastError: task[18],
    createdAt: task[19],
    updatedAt: now,
  };
}
