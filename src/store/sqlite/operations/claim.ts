import type { Attempt, Lease, PreviousAttempt } from '../../attempt.ts';
import type { Claimed, ClaimOutcome, ClaimRefusal, ClaimRequest } from '../../claimTypes.ts';
import { newAttempt } from '../../newAttempt.ts';
import { DEFAULT_QUEUE } from '../../taskDefaults.ts';
import { attemptBefore, findAttempt, isLive, PLACE } from '../attemptRows.ts';
import { insertEvent, NAME_LAST_EVENT, recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';
import { findTaskById, statusOf, TASK_COLUMNS, type TaskRow, taskOf } from '../taskRows.ts';
import { expireDueOffers } from './offers.ts';
import { isQueuePaused, readinessOf, scanReady } from './ready.ts';

/** All checks before any task, in one statement: a statement costs more than what it reads. */
interface Gate {
  readonly incarnation: number;
  readonly state: 'launching' | 'live' | 'draining' | 'stopped' | 'lost';
  readonly attemptId: string | null;
  readonly heartbeatAt: number;
  readonly suspectAt: number | null;
  readonly pausedUntil: number | null;
  readonly queuePaused: number;
  readonly staleOffers: number;
  readonly keyUsed: number;
}

const GATE = `SELECT w.incarnation, w.state, w.attempt_id AS attemptId, w.heartbeat_at AS heartbeatAt,
  w.suspect_at AS suspectAt, c.paused_until AS pausedUntil,
  EXISTS (SELECT 1 FROM queues WHERE name = ? AND paused_at IS NOT NULL) AS queuePaused,
  EXISTS (SELECT 1 FROM attempts INDEXED BY attempts_offered WHERE state = 'offered' AND offer_until <= ?) AS staleOffers,
  EXISTS (SELECT 1 FROM attempts WHERE id = ?) AS keyUsed
  FROM workers w LEFT JOIN accounts c ON c.key = w.account_key WHERE w.id = ?`;

/** Claims the first task that this worker may have now, or returns why there is none. */
export function claim(tables: Tables, request: ClaimRequest): ClaimOutcome {
  const queue = request.queue ?? DEFAULT_QUEUE;
  const gate = readGate(tables, request, queue);
  if (!gate) return { type: 'refused', reason: 'unknownWorker' };
  if (gate.incarnation !== request.incarnation) {
    return { type: 'refused', reason: 'staleIncarnation', incarnation: gate.incarnation };
  }
  const repeated = gate.keyUsed ? claimedBefore(tables, request) : undefined;
  if (repeated) return repeated;
  const refusal = whyRefused(tables, gate);
  if (refusal) return { type: 'refused', ...refusal };
  showAlive(tables, gate, request.workerId);
  if (request.taskId !== undefined) return claimNamed(tables, request, request.taskId);
  const due = gate.queuePaused ? undefined : scanReady(tables, queue, request.types).due;
  if (due) return takeTask(tables, request, due);
  return { type: 'empty', ...readinessOf(tables, queue, request.types) };
}

function readGate(tables: Tables, { workerId, claimKey }: ClaimRequest, queue: string): Gate | undefined {
  const gate = tables.get<Gate>(GATE, queue, tables.now, claimKey, workerId);
  if (gate && !gate.staleOffers) return gate;
  expireDueOffers(tables);
  return tables.get<Gate>(GATE, queue, tables.now, claimKey, workerId);
}

/** A claim whose answer was lost can be repeated with its key. */
function claimedBefore(tables: Tables, { claimKey, workerId, incarnation }: ClaimRequest): ClaimOutcome | undefined {
  const attempt = findAttempt(tables, claimKey);
  if (!attempt) return undefined;
  const own = attempt.workerId === workerId && attempt.incarnation === incarnation;
  const task = findTaskById(tables, attempt.taskId);
  if (!own || !isLive(attempt.state) || !task) {
    return { type: 'refused', reason: 'claimKeyUsed', state: attempt.state };
  }
  return claimedOutcome(tables, task, attempt);
}

function whyRefused(tables: Tables, { state, attemptId, pausedUntil }: Gate): ClaimRefusal | undefined {
  if (state !== 'live') return { reason: state };
  const held = attemptId === null ? undefined : findAttempt(tables, attemptId);
  if (held) {
    const { taskId, id, epoch, workerId, incarnation } = held;
    return { reason: 'holding', lease: { taskId, attemptId: id, epoch, workerId, incarnation } };
  }
  if (pausedUntil !== null && pausedUntil > tables.now) return { reason: 'accountPaused', untilAt: pausedUntil };
  return undefined;
}

function claimNamed(tables: Tables, request: ClaimRequest, taskId: string): ClaimOutcome {
  const task = findTaskById(tables, taskId);
  if (!task) return { type: 'refused', reason: 'unknownTask' };
  const status = statusOf(task, tables.now);
  if (status !== 'ready') return { type: 'refused', reason: 'taskNotReady', status };
  if (!isQueuePaused(tables, task.queue)) return takeTask(tables, request, task);
  return { type: 'empty', ...readinessOf(tables, task.queue, undefined) };
}

/** Idle workers claim often; a claim that finds nothing writes a heartbeat only this often. */
const QUIET_MS = 10_000;

function showAlive(tables: Tables, { suspectAt, heartbeatAt }: Gate, workerId: string): void {
  if (suspectAt === null && tables.now - heartbeatAt < QUIET_MS) return;
  tables.run('UPDATE workers SET heartbeat_at = ?, suspect_at = NULL WHERE id = ?', tables.now, workerId);
  if (suspectAt !== null) recordEvent(tables, 'worker.recovered', { workerId }, { suspectAt: null });
}

const TAKE = `UPDATE tasks SET state = 'claimed', epoch = ?, attempt_id = ?, updated_at = ?, ${NAME_LAST_EVENT}
  WHERE seq = ?`;

/** Separate from the change: SQLite would create a table for what a change returns, each time. */
const TAKEN = `SELECT ${TASK_COLUMNS}, (SELECT body FROM bodies WHERE task_seq = tasks.seq) AS body FROM tasks WHERE seq = ?`;

const INSERT_ATTEMPT = `INSERT INTO attempts (place, task_seq, epoch, id, worker_id, incarnation, state, claimed_at,
  offered_at, offer_until, started_at, deadline_at) VALUES (${PLACE}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const HOLD = `UPDATE workers SET attempt_id = ?, last_claimed_at = ?, heartbeat_at = ?, suspect_at = NULL WHERE id = ?`;

/** Gives a queued task to this worker: a new epoch, a new attempt. */
function takeTask(tables: Tables, request: ClaimRequest, task: Pick<TaskRow, 'seq' | 'epoch'>): Claimed {
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
  if (!row) throw new Error(`Task ${seq} disappeared inside its own transaction`);
  const attempt = newAttempt(row, request, now);
  const { offeredAt, offerUntil, startedAt, deadlineAt } = attempt;
  const times = [offeredAt, offerUntil, startedAt, deadlineAt];
  tables.run(INSERT_ATTEMPT, seq, epoch, seq, epoch, claimKey, workerId, incarnation, state, now, ...times);
  tables.run(HOLD, claimKey, now, now, workerId);
  return claimedOutcome(tables, row, attempt);
}

function claimedOutcome(tables: Tables, row: TaskRow, attempt: Attempt): Claimed {
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
