import type { Outcomes } from '../../outcomes.ts';
import { findAttempt, type HeldTask, heldByAttempt, PLACE } from '../attemptRows.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Operation, Tables } from '../tables.ts';
import { taskBySeq } from '../taskRows.ts';
import { endDependants, meetDependants } from './dependants.ts';
import { keepNotes, putBack, requeued, retryAt } from './holding.ts';
import { awaitReview } from './reviews.ts';

const OLDEST = `SELECT seq FROM tasks INDEXED BY tasks_apart WHERE state = 'verifying'
  AND (verify_until IS NULL OR verify_until <= ?)
  AND (? IS NULL OR queue = ?) AND (? IS NULL OR id = ?) ORDER BY seq LIMIT 1`;

const TAKE = `UPDATE tasks SET verify_epoch = verify_epoch + 1, verify_holder = ?, verify_until = ?, updated_at = ?
  WHERE seq = ? RETURNING verify_epoch`;

/** Takes a completed task that no verifier has, for a while. */
export const takeVerification: Operation<'takeVerification'> = (tables, request) => {
  const { holder, ttlMs, queue = null, taskId = null } = request;
  const oldest = tables.get<{ seq: number }>(OLDEST, tables.now, queue, queue, taskId, taskId);
  if (!oldest) return { type: 'empty' };
  const untilAt = tables.now + ttlMs;
  const taken = tables.get<{ verifyEpoch: number }>(TAKE, holder, untilAt, tables.now, oldest.seq);
  const task = taskBySeq(tables, oldest.seq);
  const attempt = task.attemptId ? findAttempt(tables, task.attemptId) : undefined;
  if (!taken || !attempt) throw new Error(`Task ${oldest.seq} is being verified without an attempt`);
  const { verifyEpoch } = taken;
  const subject = { taskSeq: oldest.seq, attemptId: attempt.id, epoch: attempt.epoch, actor: holder };
  recordEvent(tables, 'verification.taken', subject, { verifyEpoch });
  return { type: 'taken', task, attempt, verifyEpoch, untilAt };
};

const RENEW = `UPDATE tasks SET verify_until = ? WHERE id = ? AND verify_epoch = ? AND state = 'verifying'
  AND verify_holder IS NOT NULL RETURNING attempt_id`;

/** The verifier still works on it. Also after its time, as long as no other one has taken it. */
export const renewVerification: Operation<'renewVerification'> = (tables, request) => {
  const { taskId, verifyEpoch, ttlMs, details } = request;
  const untilAt = tables.now + ttlMs;
  const renewed = tables.get<{ attemptId: string }>(RENEW, untilAt, taskId, verifyEpoch);
  if (!renewed) return { type: 'superseded' };
  const held = details && heldByAttempt(tables, renewed.attemptId);
  if (held) keepNotes(tables, held, { details });
  return { type: 'renewed', untilAt };
};

interface Verified {
  readonly seq: number;
  readonly state: string;
  readonly attemptId: string;
  readonly verifyEpoch: number;
  readonly verifyHolder: string | null;
  readonly verifyReply: string | null;
}

const VERIFIED = `SELECT seq, state, attempt_id, verify_epoch, verify_holder,
  verify_reply FROM tasks WHERE id = ?`;

/** The verdict of the verifier that took it last: done, or back with a failure. */
export const settleVerification: Operation<'settleVerification'> = (tables, request) => {
  const task = tables.get<Verified>(VERIFIED, request.taskId);
  if (!task || task.verifyEpoch !== request.verifyEpoch) return { type: 'superseded' };
  if (task.verifyReply !== null) return JSON.parse(task.verifyReply);
  const held = task.state === 'verifying' ? heldByAttempt(tables, task.attemptId) : undefined;
  if (!held) return { type: 'superseded' };
  const settle = request.verdict === 'pass' ? pass : reject;
  // what it found stays with the attempt; the next one reads it
  keepNotes(tables, held, { checkpoint: request.notes, details: request.details });
  const { reason = null, hold = null } = request;
  const reply = settle(tables, held, { reason, hold, actor: task.verifyHolder });
  tables.run('UPDATE tasks SET verify_reply = ? WHERE seq = ?', JSON.stringify(reply), task.seq);
  return reply;
};

type Settle = (
  tables: Tables,
  held: HeldTask,
  found: { readonly reason: string | null; readonly hold: string | null; readonly actor: string | null },
) => Outcomes['settleVerification'];

const PASS = `UPDATE tasks SET state = 'done', verify_holder = NULL, verify_until = NULL, updated_at = ? WHERE seq = ?`;

const pass: Settle = (tables, { taskSeq, attemptId, epoch }, { reason, actor }) => {
  tables.run(PASS, tables.now, taskSeq);
  recordEvent(tables, 'task.verified', { taskSeq, attemptId, epoch, actor }, { state: 'done', reason });
  awaitReview(tables, { taskSeq, epoch });
  meetDependants(tables, taskSeq);
  return { type: 'done' };
};

const REJECT = `UPDATE attempts SET state = 'failed', outcome = 'rejected', counts_as_failure = 1, error = ?
  WHERE place = ${PLACE}`;

const HOLD = 'UPDATE tasks SET hold_reason = ? WHERE seq = ?';

const reject: Settle = (tables, held, { reason, hold, actor }) => {
  const { taskSeq, attemptId, epoch } = held;
  const back = putBack(tables, held, { counted: 'failures', runAt: retryAt(tables, held, 'failures'), error: reason });
  tables.run(REJECT, reason, taskSeq, epoch);
  const change = { state: back.state, runAt: back.runAt, failures: back.count, attemptState: 'failed', reason };
  recordEvent(tables, 'task.rejected', { taskSeq, attemptId, epoch, actor }, change);
  if (hold !== null && back.state === 'queued') {
    tables.run(HOLD, hold, taskSeq);
    recordEvent(tables, 'task.held', { taskSeq, actor }, { holdReason: hold });
  }
  endDependants(tables, held, back);
  return requeued(back);
};
