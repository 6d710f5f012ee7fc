import type { Claimed, ClaimRequest } from '../claimTypes.ts';
import { newAttempt } from '../newAttempt.ts';
import type { Task } from '../task.ts';
import { DEFAULT_QUEUE } from '../taskDefaults.ts';

/** What is told of a task that was just claimed; the rest is known by that. In this order, without names: it is read fast. */
const TEXTS = [
  'id',
  'type',
  'title',
  'body',
  'verify',
  'dedupe_key',
  'parent_id',
  'last_error',
  'cost_budget_usd',
] as const;
const NUMBERS = [
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
  'created_at',
  'updated_at',
] as const;

/**
 * How the database tells of a claim of the task `t` that went the short way, as JSON. Naming the parts there took longer than
 * claiming, and so did asking for the type of each number.
 */
export const CLAIMED_ROW = `json_build_array(${TEXTS.map((column) => `t.${column}`).join(', ')},
        CASE WHEN t.epoch > 1 THEN stopgate.previous_view(t.seq, t.epoch) END,
        array_to_json(ARRAY[${NUMBERS.map((column) => `t.${column}`).join(', ')}]::bigint[]))`;

export type ClaimedRow = readonly [
  id: string,
  type: string,
  title: string,
  /** If it is short; a long one comes last. */
  body: string | null,
  verify: string | null,
  dedupeKey: string | null,
  parentId: string | null,
  lastError: string | null,
  costBudgetUsd: number | null,
  previous: Claimed['previous'],
  numbers: readonly [
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
    createdAt: number,
    updatedAt: number,
  ],
  longBody?: string | null,
];

export function isClaimedRow(answer: unknown): answer is ClaimedRow {
  return Array.isArray(answer);
}

export function claimedOf(row: ClaimedRow, request: ClaimRequest): Claimed {
  const task = taskOf(row, request);
  const attempt = newAttempt(task, request, task.updatedAt);
  const { taskId, id: attemptId, epoch, workerId, incarnation } = attempt;
  return {
    type: 'claimed',
    lease: { taskId, attemptId, epoch, workerId, incarnation },
    task,
    attempt,
    attemptNumber: task.failures + task.reclaims + task.releases + 1,
    previous: row[9],
  };
}

function taskOf(row: ClaimedRow, { queue = DEFAULT_QUEUE, claimKey }: ClaimRequest): Task {
  const numbers = row[10];
  return {
    id: row[0],
    queue,
    type: row[1],
    title: row[2],
    body: row[3] ?? row[11] ?? '',
    priority: numbers[0],
    state: 'claimed',
    status: 'claimed',
    runAt: numbers[1],
    unmetDependencies: 0,
    epoch: numbers[2],
    attemptId: claimKey,
    failures: numbers[3],
    maxFailures: numbers[4],
    reclaims: numbers[5],
    maxReclaims: numbers[6],
    releases: numbers[7],
    maxReleases: numbers[8],
    backoffMs: numbers[9],
    timeBudgetMs: numbers[10],
    costBudgetUsd: row[8],
    verify: row[4],
    dedupeKey: row[5],
    parentId: row[6],
    holdReason: null,
    result: null,
    lastError: row[7],
    createdAt: numbers[11],
    updatedAt: numbers[12],
  };
}
