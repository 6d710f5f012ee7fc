import type { Attempt, AttemptDetails, AttemptState, Lease, PreviousAttempt } from '../attempt.ts';
import type { Budgets } from '../budgets.ts';
import type { Task, TaskState } from '../task.ts';
import type { Tables } from './tables.ts';

interface AttemptRow extends Omit<Attempt, 'details' | 'countsAsFailure'> {
  readonly details: string;
  readonly countsAsFailure: number;
}

const ATTEMPT_COLUMNS = `a.id, t.id AS task_id, a.epoch, a.worker_id, a.incarnation, a.state, a.offered_at, a.offer_until,
  a.claimed_at, a.started_at, a.deadline_at, a.extended_ms, a.ended_at, a.outcome, a.counts_as_failure, a.checkpoint,
  a.checkpoint_at, a.details, a.result, a.late_result, a.error`;

/** An attempt's key: its task's number and its epoch. */
export const PLACE = '(? << 24 | ?)';

function attemptOf(row: AttemptRow): Attempt {
  return { ...row, details: JSON.parse(row.details), countsAsFailure: row.countsAsFailure === 1 };
}

const BY_ID = `SELECT ${ATTEMPT_COLUMNS} FROM attempts a JOIN tasks t ON t.seq = a.task_seq WHERE a.id = ?`;

export function findAttempt(tables: Tables, id: string): Attempt | undefined {
  const row = tables.get<AttemptRow>(BY_ID, id);
  return row && attemptOf(row);
}

const OF_TASK = `SELECT ${ATTEMPT_COLUMNS} FROM tasks t CROSS JOIN attempts a
  ON a.place BETWEEN t.seq << 24 AND (t.seq + 1 << 24) - 1 WHERE t.id = ? ORDER BY a.place`;

export function attemptsOf(tables: Tables, taskId: string): Attempt[] {
  return tables.all<AttemptRow>(OF_TASK, taskId).map(attemptOf);
}

const SPENT = `SELECT epoch, state, started_at, ended_at, details FROM attempts
  WHERE place BETWEEN ? << 24 AND (? + 1 << 24) - 1 ORDER BY place`;

/** What counts towards the budgets of a task. */
export function spentBy(tables: Tables, taskSeq: number) {
  const rows = tables.all<Pick<AttemptRow, 'epoch' | 'state' | 'startedAt' | 'endedAt' | 'details'>>(
    SPENT,
    taskSeq,
    taskSeq,
  );
  return rows.map((row) => ({ ...row, details: JSON.parse(row.details) as AttemptDetails }));
}

const BEFORE = `SELECT id AS attempt_id, epoch, state, outcome, error, checkpoint, checkpoint_at, details, ended_at FROM attempts
  WHERE place >= ? << 24 AND place < ${PLACE} ORDER BY place DESC LIMIT 1`;

export function attemptBefore(tables: Tables, taskSeq: number, epoch: number): PreviousAttempt | null {
  if (epoch <= 1) return null;
  const row = tables.get<Omit<PreviousAttempt, 'details'> & { details: string }>(BEFORE, taskSeq, taskSeq, epoch);
  return row ? { ...row, details: JSON.parse(row.details) } : null;
}

type TaskCounters = 'failures' | 'maxFailures' | 'reclaims' | 'maxReclaims' | 'releases' | 'maxReleases';

/** An attempt with its task: everything that a settlement is decided by. */
export interface HeldTask
  extends Pick<
      Attempt,
      'taskId' | 'workerId' | 'epoch' | 'state' | 'outcome' | 'lateResult' | 'startedAt' | 'deadlineAt' | 'extendedMs'
    >,
    Pick<Task, TaskCounters | 'runAt' | 'backoffMs' | 'timeBudgetMs' | 'verify'>,
    Budgets {
  readonly taskSeq: number;
  readonly attemptId: string;
  readonly settledBy: string | null;
  readonly reply: string | null;
  readonly details: string;
  readonly taskState: TaskState;
  readonly taskEpoch: number;
  readonly suspectAt: number | null;
  /** 1 when a task waits for this one. */
  readonly awaited: number;
}

const HELD = `SELECT a.task_seq, t.id AS task_id, a.epoch, a.id AS attempt_id, a.worker_id, a.state, a.outcome, a.settled_by, a.reply,
  a.details, a.late_result, a.started_at, a.deadline_at, a.extended_ms, t.state AS task_state, t.epoch AS task_epoch, t.run_at, t.failures,
  t.max_failures, t.reclaims, t.max_reclaims, t.releases, t.max_releases, t.backoff_ms, t.time_budget_ms, t.total_time_ms,
  t.token_budget, t.cost_budget_usd, t.counted_from, t.verify,
  (SELECT suspect_at FROM workers WHERE id = a.worker_id AND attempt_id = a.id) AS suspect_at,
  EXISTS (SELECT 1 FROM dependencies WHERE depends_on = a.task_seq AND met = 0) AS awaited
  FROM attempts a JOIN tasks t ON t.seq = a.task_seq WHERE a.id = ?`;

/** Built once: a new string would have to be hashed to find its statement. */
const HELD_BY_LEASE = `${HELD} AND t.id = ? AND a.epoch = ? AND a.worker_id = ? AND a.incarnation = ?`;

export function heldByAttempt(tables: Tables, attemptId: string): HeldTask | undefined {
  return tables.get<HeldTask>(HELD, attemptId);
}

/** The attempt of a lease, if every part of the lease is right. */
export function heldByLease(tables: Tables, lease: Lease): HeldTask | undefined {
  const { attemptId, taskId, epoch, workerId, incarnation } = lease;
  return tables.get<HeldTask>(HELD_BY_LEASE, attemptId, taskId, epoch, workerId, incarnation);
}

export function isLive(state: AttemptState): boolean {
  return state === 'active' || state === 'offered';
}
