import type { HeartbeatOutcome, HeartbeatRequest } from '../../claimTypes.ts';
import { type HeldTask, heldByLease, PLACE } from '../attemptRows.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';
import { withDetails } from './endAttempt.ts';
import { isHeld } from './leaseLost.ts';

interface Beating {
  readonly incarnation: number;
  readonly state: string;
  readonly suspectAt: number | null;
  readonly pausedUntil: number | null;
}

const BEATING = `SELECT w.incarnation, w.state, w.suspect_at AS suspectAt, c.paused_until AS pausedUntil
  FROM workers w LEFT JOIN accounts c ON c.key = w.account_key WHERE w.id = ?`;

/** Keeps the two clocks of a worker and its notes, and tells it what to do. */
export function heartbeat(tables: Tables, request: HeartbeatRequest): HeartbeatOutcome {
  const worker = tables.get<Beating>(BEATING, request.workerId);
  if (worker?.incarnation !== request.incarnation || worker.state === 'stopped' || worker.state === 'lost') {
    return { type: 'superseded', by: 'worker' };
  }
  beat(tables, request);
  if (worker.suspectAt !== null) {
    recordEvent(tables, 'worker.recovered', { workerId: request.workerId }, { suspectAt: null });
  }
  const held = request.lease && heldByLease(tables, request.lease);
  if (request.lease && held?.state === 'cancelled') return { type: 'cancel' };
  if (request.lease && !(held && isHeld(held))) return { type: 'superseded', by: 'task' };
  if (held) keepNotes(tables, held, request);
  if (worker.state === 'draining') return { type: 'drain' };
  const { pausedUntil } = worker;
  if (pausedUntil !== null && pausedUntil > tables.now) return { type: 'pausedUntil', untilAt: pausedUntil };
  return { type: 'ok', deadlineAt: held?.deadlineAt ?? null };
}

const BEAT = `UPDATE workers SET heartbeat_at = ?, suspect_at = NULL, activity_at = coalesce(?, activity_at),
  tool_started_at = CASE ? WHEN 'started' THEN ? WHEN 'ended' THEN NULL ELSE tool_started_at END WHERE id = ?`;

function beat(tables: Tables, { workerId, activity, tool }: HeartbeatRequest): void {
  const { now } = tables;
  tables.run(BEAT, now, activity || tool ? now : null, tool ?? null, now, workerId);
}

const KEEP = `UPDATE attempts SET checkpoint = coalesce(?, checkpoint),
  checkpoint_at = CASE WHEN ? IS NULL THEN checkpoint_at ELSE ? END, details = ? WHERE place = ${PLACE}`;

function keepNotes(tables: Tables, held: HeldTask, { checkpoint: notes, details }: HeartbeatRequest): void {
  const checkpoint = notes ?? null;
  if (checkpoint === null && !details) return;
  const { taskSeq, attemptId, workerId, epoch } = held;
  tables.run(KEEP, checkpoint, checkpoint, tables.now, withDetails(held.details, details), taskSeq, epoch);
  recordEvent(tables, 'attempt.checkpoint', { taskSeq, attemptId, workerId, epoch }, { checkpoint });
}
