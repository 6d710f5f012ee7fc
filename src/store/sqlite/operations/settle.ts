import { definedOnly } from '../../../system/definedOnly.ts';
import { ownValue } from '../../../system/ownValue.ts';
import type { AttemptDetails, AttemptState } from '../../attempt.ts';
import type { LeaseLost, Outcomes } from '../../outcomes.ts';
import { UNCOUNTED_RELEASES } from '../../releaseCounts.ts';
import type { ReleaseReason, Requests } from '../../requests.ts';
import { needsVerifier } from '../../verification.ts';
import type { Worker } from '../../worker.ts';
import { type HeldTask, heldByLease, PLACE } from '../attemptRows.ts';
import { insertEvent, NAME_LAST_EVENT, recordEvent } from '../recordEvent.ts';
import type { Operation, Tables } from '../tables.ts';
import { timeLeft, timeLimit } from './budgets.ts';
import { claim } from './claim.ts';
import { endDependants, meetDependants } from './dependants.ts';
import {
  endAttempt,
  isHeld,
  keepNotes,
  leaseLost,
  type Notes,
  putBack,
  requeued,
  retryAt,
  wasGivenUp,
} from './holding.ts';
import { awaitReview } from './reviews.ts';

/**
 * What a worker does with the task it holds: acknowledge, complete, fail, release, extend, heartbeat. The same functions in the same
 * order as postgres/sql/settle.sql.
 */

/** The worker has received the offered task; its time starts now. */
export const acknowledge: Operation<'acknowledge'> = (tables, { lease }) => {
  const held = heldByLease(tables, lease);
  if (!held || !isHeld(held)) return leaseLost(held);
  if (held.state === 'active') return { type: 'acknowledged' };
  const { taskSeq, epoch } = held;
  const limitMs = timeLimit(tables, taskSeq, held);
  const deadlineAt = limitMs === null ? null : tables.now + limitMs;
  const start = `UPDATE attempts SET state = 'active', started_at = ?, deadline_at = ? WHERE place = ${PLACE}`;
  tables.run(start, tables.now, deadlineAt, taskSeq, epoch);
  recordEvent(tables, 'task.acknowledged', held, { attemptState: 'active' });
  return { type: 'acknowledged' };
};

/** Settles a task and, if requested, claims the next one. */
export const complete: Operation<'complete'> = (tables, request) => {
  const outcome = settle(tables, request);
  if (request.next === undefined || outcome.type !== 'accepted') return outcome;
  const { workerId, incarnation } = request.lease;
  return { ...outcome, next: claim(tables, { ...request.next, workerId, incarnation }) };
};

/** Accepts a result once: from the latest epoch, even after the task was given up, if it was not claimed since. */
function settle(tables: Tables, request: Requests['complete']): Outcomes['complete'] {
  const held = heldByLease(tables, request.lease);
  if (!held) return { type: 'unknownAttempt' };
  if (held.settledBy === 'complete' && held.reply !== null) return JSON.parse(held.reply);
  if (isHeld(held)) return accept(tables, held, request, false);
  if (wasGivenUp(held)) return accept(tables, held, request, true);
  return keepLate(tables, held, request);
}

const ACCEPT = `UPDATE tasks SET state = ?, attempt_id = ?, reclaims = ?, releases = ?, last_error = NULL, verify_reply = NULL,
  verify_epoch = verify_epoch + 1, verify_holder = NULL, verify_until = NULL, updated_at = ?, ${NAME_LAST_EVENT}
  WHERE seq = ? AND epoch = ?`;

function accept(
  tables: Tables,
  held: HeldTask,
  { result, details }: Requests['complete'],
  late: boolean,
): Outcomes['complete'] {
  const { taskSeq, attemptId, epoch } = held;
  const known: AttemptDetails = { ...JSON.parse(held.details), ...details };
  const state = needsVerifier(held.verify, known) ? 'verifying' : 'done';
  const reply: Outcomes['complete'] = { type: 'accepted', taskState: state, late };
  // a late result revokes the count of giving the task up
  const reclaims = held.reclaims - (held.state === 'lost' ? 1 : 0);
  const releases = held.releases - (late && held.state === 'released' ? 1 : 0);
  const outcome = late ? 'completed_late' : 'completed';
  const settledBy = { operation: 'complete', reply };
  endAttempt(tables, held, { state: 'succeeded', outcome, result, details, settledBy });
  const change = { state, attemptState: 'succeeded', ...(late && { reclaims, releases }), late };
  insertEvent(tables, 'task.completed', held, change);
  tables.run(ACCEPT, state, attemptId, reclaims, releases, tables.now, taskSeq, epoch);
  if (state === 'done' && known.branch !== undefined) awaitReview(tables, held);
  if (state === 'done' && held.awaited) meetDependants(tables, taskSeq);
  return reply;
}

const KEEP_LATE = `UPDATE attempts SET late_result = ?, state = ?, settled_by = coalesce(settled_by, 'complete'),
  reply = coalesce(reply, ?) WHERE place = ${PLACE}`;

/** A result that comes too late is refused and kept: the work may be worth more than the record of it. */
function keepLate(tables: Tables, held: HeldTask, { result, details }: Requests['complete']): Outcomes['complete'] {
  const reply = tooLate(tables, held, details);
  if (held.lateResult === null) {
    const state = reply.type === 'superseded' ? 'superseded' : held.state;
    tables.run(KEEP_LATE, result, state, JSON.stringify(reply), held.taskSeq, held.epoch);
    recordEvent(tables, 'task.late', held, { attemptState: state });
  }
  return reply;
}

/** What an attempt spent counts, whatever becomes of what it did. */
function tooLate(tables: Tables, held: HeldTask | undefined, details: AttemptDetails = {}): LeaseLost {
  const { tokens, costUsd } = details;
  const spent = definedOnly({ tokens, costUsd });
  const known: AttemptDetails = JSON.parse(held?.details ?? '{}');
  const isNew = Object.entries(spent).some(([name, value]) => known[name as keyof typeof spent] !== value);
  if (held && isNew) noteProgress(tables, held, { details: spent });
  return leaseLost(held);
}

/** Counts a failure and puts the task back for later, or ends it. */
export const fail: Operation<'fail'> = (tables, request) => {
  const held = heldByLease(tables, request.lease);
  if (held?.settledBy === 'fail' && held.reply !== null) return JSON.parse(held.reply);
  if (!held || !isHeld(held)) return tooLate(tables, held, request.details);
  const { error, reason = 'failed', retryAfterMs, final = false, details } = request;
  const runAt = retryAfterMs === undefined ? retryAt(tables, held, 'failures') : tables.now + retryAfterMs;
  const back = putBack(tables, held, { counted: 'failures', runAt, error, final, details });
  const reply = requeued(back);
  const settledBy = { operation: 'fail', reply };
  endAttempt(tables, held, { state: reason, outcome: reason, countsAsFailure: true, error, details, settledBy });
  const change = { state: back.state, runAt, failures: back.count, attemptState: reason };
  recordEvent(tables, 'task.failed', held, change);
  endDependants(tables, held, back);
  return reply;
};

const RELEASED_AS: Readonly<Partial<Record<ReleaseReason, AttemptState>>> = {
  rate_limited: 'rate_limited',
  timed_out: 'timed_out',
};

/**
 * Releases a task that did not fail. It goes behind tasks that waited as long. Releases that count are limited and wait longer each
 * time: a task that is given back again and again costs a whole run each time.
 */
export const release: Operation<'release'> = (tables, request) => {
  const held = heldByLease(tables, request.lease);
  if (held?.settledBy === 'release' && held.reply !== null) return JSON.parse(held.reply);
  if (!held || !isHeld(held)) return tooLate(tables, held, request.details);
  const { reason, delayMs = 0, backoff = true, checkpoint, details } = request;
  const counted = UNCOUNTED_RELEASES.includes(reason) ? null : 'releases';
  const runAt = Math.max(tables.now + delayMs, counted !== null && backoff ? retryAt(tables, held, counted) : 0);
  const attemptState = ownValue(RELEASED_AS, reason) ?? 'released';
  const back = putBack(tables, held, { counted, runAt, reason, details });
  const reply = requeued(back);
  const settledBy = { operation: 'release', reply };
  endAttempt(tables, held, { state: attemptState, outcome: reason, checkpoint, details, settledBy });
  const releases = counted === null ? held.releases : back.count;
  recordEvent(tables, 'task.released', held, { state: back.state, runAt, releases, attemptState, reason });
  endDependants(tables, held, back);
  return reply;
};

/** More time for an attempt that made progress, once. */
export const extend: Operation<'extend'> = (tables, { lease, byMs }) => {
  const held = heldByLease(tables, lease);
  if (!held || !isHeld(held)) return leaseLost(held);
  if (held.deadlineAt === null) return { type: 'refused', reason: 'noDeadline' };
  if (held.extendedMs > 0) return { type: 'refused', reason: 'extendedBefore' };
  const leftMs = timeLeft(tables, held.taskSeq, held);
  const latestAt = leftMs === null ? Number.POSITIVE_INFINITY : (held.startedAt ?? 0) + leftMs;
  if (held.deadlineAt >= latestAt) return { type: 'refused', reason: 'overBudget' };
  const deadlineAt = Math.min(held.deadlineAt + byMs, latestAt);
  const extended = `UPDATE attempts SET deadline_at = ?, extended_ms = ? WHERE place = ${PLACE}`;
  tables.run(extended, deadlineAt, deadlineAt - held.deadlineAt, held.taskSeq, held.epoch);
  recordEvent(tables, 'attempt.extended', held, { deadlineAt });
  return { type: 'extended', deadlineAt };
};

const BEATING = `SELECT w.incarnation, w.state, w.suspect_at, c.paused_until
  FROM workers w LEFT JOIN accounts c ON c.key = w.account_key WHERE w.id = ?`;

const BEAT = `UPDATE workers SET heartbeat_at = ?, suspect_at = NULL, activity_at = coalesce(?, activity_at),
  tool_started_at = CASE ? WHEN 'started' THEN ? WHEN 'ended' THEN NULL ELSE tool_started_at END WHERE id = ?`;

/** Updates the heartbeat, activity and notes of a worker, and returns its orders. */
export const heartbeat: Operation<'heartbeat'> = (tables, request) => {
  const { now } = tables;
  const { workerId, incarnation, lease, activity, tool } = request;
  const worker = tables.get<Pick<Worker, 'incarnation' | 'state' | 'suspectAt' | 'pausedUntil'>>(BEATING, workerId);
  const held = lease && heldByLease(tables, lease);
  // what it cost, and that it is pushed, may be known only after it was settled and its worker has ended
  if (lease && held && !isHeld(held)) noteProgress(tables, held, { ...request, checkpoint: undefined });
  if (worker?.incarnation !== incarnation || worker.state === 'stopped' || worker.state === 'lost') {
    return { type: 'superseded', by: 'worker' };
  }
  tables.run(BEAT, now, activity || tool ? now : null, tool ?? null, now, workerId);
  if (worker.suspectAt !== null) recordEvent(tables, 'worker.recovered', { workerId }, { suspectAt: null });
  if (lease && held?.state === 'cancelled') return { type: 'cancel' };
  if (lease && !(held && isHeld(held))) return { type: 'superseded', by: 'task' };
  if (held) noteProgress(tables, held, request);
  if (worker.state === 'draining') return { type: 'drain' };
  const { pausedUntil } = worker;
  if (pausedUntil !== null && pausedUntil > now) return { type: 'pausedUntil', untilAt: pausedUntil };
  return { type: 'ok', deadlineAt: held?.deadlineAt ?? null };
};

function noteProgress(tables: Tables, held: HeldTask, request: Notes): void {
  if (!keepNotes(tables, held, request)) return;
  recordEvent(tables, 'attempt.checkpoint', held, { checkpoint: request.checkpoint ?? null });
}
