import type { Claimed, ClaimRequest } from '../claimTypes.ts';
import { newAttempt } from '../newAttempt.ts';
import type { Task } from '../task.ts';
import { DEFAULT_QUEUE } from '../taskDefaults.ts';

/** What is told of a task that was just claimed; the rest is known by that. In this order, without names: it is read fast. */
const TEXTS = ['id', 'type', 'title', 'body', 'verify', 'dedupe_key', 'parent_id', 'last_error'] as const;
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

const arrayOf = (columns: readonly string[], type: string) =>
  `array_to_json(ARRAY[${columns.map((column) => `t.${column}`).join(', ')}]::${type}[])`;

/**
 * How the database tells of a claim of the task `t` that went the short way, as JSON. Naming the parts there took longer than
 * claiming, and so did asking for the type of each.
 */
export const CLAIMED_ROW = `json_build_array(${arrayOf(TEXTS, 'text')}, ${arrayOf(NUMBERS, 'bigint')})`;

/** What only some tasks have. */
export const HAS_MORE = '(t.body IS NULL OR t.epoch > 1 OR t.cost_budget_usd IS NOT NULL)';

/** The same, with that. */
export const withMore = (claimed: string) =>
  `left(${claimed}, -1) || ',' || json_build_array(stopgate.body_of(t), t.cost_budget_usd, stopgate.previous_view(t.seq, t.epoch)) || ']'`;

export type ClaimedRow = readonly [
  texts: readonly [
    id: string,
    type: string,
    title: string,
    body: string | null,
    verify: string | null,
    dedupeKey: string | null,
    parentId: string | null,
    lastError: string | null,
  ],
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
  more?: readonly [body: string, costBudgetUsd: number | null, previous: Claimed['previous']],
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
    previous: row[2]?.[2] ?? null,
  };
}

function taskOf([texts, numbers, more]: ClaimedRow, { queue = DEFAULT_QUEUE, claimKey }: ClaimRequest): Task {
  return {
    id: texts[0],
    queue,
    type: texts[1],
    title: texts[2],
    body: more?.[0] ?? texts[3] ?? '',
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
    costBudgetUsd: more?.[1] ?? null,
    verify: texts[4],
    dedupeKey: texts[5],
    parentId: texts[6],
    holdReason: null,
    result: null,
    lastError: texts[7],
    createdAt: numbers[11],
    updatedAt: numbers[12],
  };
}
