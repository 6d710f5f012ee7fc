import type { Attempt, AttemptState, Lease } from '../attempt.ts';
import type { Task, TaskState } from '../task.ts';
import type { Tables } from './tables.ts';

interface AttemptRow extends Omit<Attempt, 'details' | 'countsAsFailure'> {
  readonly details: string;
  readonly countsAsFailure: number;
}

const ATTEMPT_COLUMNS = `a.id, t.id AS taskId, a.epoch, a.worker_id AS workerId, a.incarnation, a.state,
  a.offered_at AS offeredAt, a.offer_until AS offerUntil, a.claimed_at AS claimedAt, a.started_at AS startedAt,
  a.deadline_at AS deadlineAt, a.extended_ms AS extendedMs, a.ended_at AS endedAt, a.outcome,
  a.counts_as_failure AS countsAsFailure, a.checkpoint, a.checkpoint_at AS checkpointAt, a.details, a.result,
  a.late_result AS lateResult, a.error`;

/** An attempt's key: its task's number and its epoch. */
export const PLACE = '(? << 24 | ?)';

const ATTEMPTS = `SELECT ${ATTEMPT_COLUMNS} FROM attempts a JOIN tasks t ON t.seq = a.task_seq`;

function attemptOf(row: AttemptRow): Attempt {
  return { ...row, details: JSON.parse(row.details), countsAsFailure: row.countsAsFailure === 1 };
}

export function findAttempt(tables: Tables, id: string): Attempt | undefined {
  const row = tables.get<AttemptRow>(`${ATTEMPTS} WHERE a.id = ?`, id);
  return row && attemptOf(row);
}

const OF_TASK = `SELECT ${ATTEMPT_COLUMNS} FROM tasks t CROSS JOIN attempts a
  ON a.place BETWEEN t.seq << 24 AND (t.seq + 1 << 24) - 1 WHERE t.id = ? ORDER BY a.place`;

export function attemptsOf(tables: Tables, taskId: string): Attempt[] {
  return tables.all<AttemptRow>(OF_TASK, taskId).map(attemptOf);
}

const BEFORE = `${ATTEMPTS} WHERE a.place >= ? << 24 AND a.place < ${PLACE} ORDER BY a.place DESC LIMIT 1`;

export function attemptBefore(tables: Tables, taskSeq: number, epoch: number): Attempt | undefined {
  const row = tables.get<AttemptRow>(BEFORE, taskSeq, taskSeq, epoch);
  return row && attemptOf(row);
}

type AttemptFacts =
  | 'taskId'
  | 'workerId'
  | 'epoch'
  | 'outcome'
  | 'lateResult'
  | 'deadlineAt'
  | 'offerUntil'
  | 'extendedMs';
type TaskCounters = 'failures' | 'maxFailures' | 'reclaims' | 'maxReclaims' | 'releases' | 'maxReleases';

/** An attempt with its task: everything that a settlement is decided by. */
export interface HeldTask
  extends Pick<Attempt, AttemptFacts | 'state'>,
    Pick<Task, TaskCounters | 'runAt' | 'backoffMs' | 'timeBudgetMs' | 'verify'> {
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

const HELD = `SELECT a.task_seq AS taskSeq, t.id AS taskId, a.epoch, a.id AS attemptId, a.worker_id AS workerId, a.state, a.outcome,
  a.settled_by AS settledBy, a.reply, a.details, a.late_result AS lateResult, a.deadline_at AS deadlineAt,
  a.offer_until AS offerUntil, a.extended_ms AS extendedMs, t.state AS taskState, t.epoch AS taskEpoch,
  t.run_at AS runAt, t.failures,
  t.max_failures AS maxFailures, t.reclaims, t.max_reclaims AS maxReclaims, t.releases, t.max_releases AS maxReleases,
  t.backoff_ms AS backoffMs, t.time_budget_ms AS timeBudgetMs, t.verify,
  (SELECT suspect_at FROM workers WHERE id = a.worker_id AND attempt_id = a.id) AS suspectAt,
  EXISTS (SELECT 1 FROM dependencies WHERE depends_on = a.task_seq AND met = 0) AS awaited
  FROM attempts a JOIN tasks t ON t.seq = a.task_seq WHERE a.id = ?`;

/** Built once: a new string would have to be hashed to find its statement. */
const HELD_BY_LEASE = `${HELD} AND t.id = ? AND a.epoch = ? AND a.worker_id = ? AND a.incarnation = ?`;

export function heldByAttempt(tables: Tables, attemptId: string): HeldTask | undefined {
  return tables.get<HeldTask>(HELD, attemptId);
}

/** The attempt of a lease, if every part of the lease is right. */
export function heldByLease(tables: Tables, lease: Lease): HeldTask | undefined {
  return tables.get<HeldTask>(
    HELD_BY_LEASE,
    lease.attemptId,
    lease.taskId,
    lease.epoch,
    lease.workerId,
    lease.incarnation,
  );
}

export function isLive(state: AttemptState): boolean {
  return state === 'active' || state === 'offered';
}
