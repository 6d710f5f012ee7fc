import type { Attempt, Lease, PreviousAttempt } from '../../attempt.ts';
import type { Claimed, ClaimRequest } from '../../claimTypes.ts';
import { newAttempt } from '../../newAttempt.ts';
import { attemptBefore, PLACE } from '../attemptRows.ts';
import { insertEvent, NAME_LAST_EVENT } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';
import { TASK_COLUMNS, type TaskRow, taskOf } from '../taskRows.ts';

const TAKE = `UPDATE tasks SET state = 'claimed', epoch = ?, attempt_id = ?, updated_at = ?, ${NAME_LAST_EVENT}
  WHERE seq = ?`;

/** Apart from the change: for what a change returns SQLite makes a table, each time. */
const TAKEN = `SELECT ${TASK_COLUMNS}, (SELECT body FROM bodies WHERE task_seq = tasks.seq) AS body FROM tasks WHERE seq = ?`;

const INSERT_ATTEMPT = `INSERT INTO attempts (place, task_seq, epoch, id, worker_id, incarnation, state, claimed_at,
  offered_at, offer_until, started_at, deadline_at) VALUES (${PLACE}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const HOLD = `UPDATE workers SET attempt_id = ?, last_claimed_at = ?, heartbeat_at = ?, suspect_at = NULL WHERE id = ?`;

/** Makes a queued task this worker's: a new epoch, a new attempt. */
export function takeTask(tables: Tables, request: ClaimRequest, task: Pick<TaskRow, 'seq' | 'epoch'>): Claimed {
  const { now } = tables;
  const { claimKey, workerId, incarnation, offerMs } = request;
  const { seq } = task;
  const epoch = task.epoch + 1;
  const state = offerMs === undefined ? 'active' : 'offered';
  const kind = state === 'offered' ? 'task.offered' : 'task.claimed';
  const subject = { taskSeq: seq, attemptId: claimKey, workerId, epoch };
  insertEvent(tables, kind, subject, { state: 'claimed', attemptState: state });
  tables.run(TAKE, epoch, claimKey, now, seq);
  const row = tables.get<TaskRow>(TAKEN, seq);
  if (!row) throw new Error(`Task ${seq} is gone inside our own transaction`);
  const attempt = newAttempt(row, request, now);
  const { offeredAt, offerUntil, startedAt, deadlineAt } = attempt;
  const times = [offeredAt, offerUntil, startedAt, deadlineAt];
  tables.run(INSERT_ATTEMPT, seq, epoch, seq, epoch, claimKey, workerId, incarnation, state, now, ...times);
  tables.run(HOLD, claimKey, now, now, workerId);
  return claimedOutcome(tables, row, attempt);
}

export function claimedOutcome(tables: Tables, row: TaskRow, attempt: Attempt): Claimed {
  const { taskId, id: attemptId, epoch, workerId, incarnation } = attempt;
  const lease: Lease = { taskId, attemptId, epoch, workerId, incarnation };
  return {
    type: 'claimed',
    lease,
    task: taskOf(row, tables.now),
    attempt,
    attemptNumber: row.failures + row.reclaims + row.releases + 1,
    previous: epoch > 1 ? previousAttempt(tables, row.seq, epoch) : null,
  };
}

function previousAttempt(tables: Tables, taskSeq: number, epoch: number): PreviousAttempt | null {
  const row = attemptBefore(tables, taskSeq, epoch);
  if (!row) return null;
  const { id: attemptId, state, outcome, error, checkpoint, checkpointAt, details, endedAt } = row;
  return { attemptId, epoch: row.epoch, state, outcome, error, checkpoint, checkpointAt, details, endedAt };
}
