import type { Attempt, Lease, PreviousAttempt } from '../../attempt.ts';
import type { Claimed, ClaimRequest } from '../../claimTypes.ts';
import { newAttempt } from '../../newAttempt.ts';
import { attemptBefore } from '../attemptRows.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';
import { TASK_COLUMNS, type TaskRow, taskOf } from '../taskRows.ts';

const TAKE = `UPDATE tasks SET state = 'claimed', epoch = epoch + 1, attempt_id = ?, updated_at = ?
  WHERE seq = ? AND state = 'queued' RETURNING ${TASK_COLUMNS}`;

const INSERT_ATTEMPT = `INSERT INTO attempts
  (task_seq, epoch, id, worker_id, incarnation, state, claimed_at, offered_at, offer_until, started_at, deadline_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const HOLD = `UPDATE workers SET attempt_id = ?, last_claimed_at = ?, heartbeat_at = ?, suspect_at = NULL WHERE id = ?`;

/** Makes a queued task this worker's: a new epoch, a new attempt. */
export function takeTask(tables: Tables, request: ClaimRequest, seq: number): Claimed {
  const { now } = tables;
  const row = tables.get<TaskRow>(TAKE, request.claimKey, now, seq);
  // the write lock is ours since before the task was looked for
  if (!row) throw new Error(`Task ${seq} was taken inside our own transaction`);
  const attempt = newAttempt(row, request, now);
  const { id, epoch, workerId, incarnation, state, offeredAt, offerUntil, startedAt, deadlineAt } = attempt;
  const times = [offeredAt, offerUntil, startedAt, deadlineAt];
  tables.run(INSERT_ATTEMPT, seq, epoch, id, workerId, incarnation, state, now, ...times);
  tables.run(HOLD, id, now, now, workerId);
  const kind = state === 'offered' ? 'task.offered' : 'task.claimed';
  recordEvent(
    tables,
    kind,
    { taskSeq: seq, attemptId: id, workerId, epoch },
    { state: 'claimed', attemptState: state },
  );
  const body = tables.get<{ body: string }>('SELECT body FROM bodies WHERE task_seq = ?', seq)?.body ?? '';
  return claimedOutcome(tables, { ...row, body }, attempt);
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
