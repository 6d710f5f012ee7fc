import type { FailRequest, RequeueOutcome } from '../../claimTypes.ts';
import { heldByLease } from '../attemptRows.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';
import { endAttempt } from './endAttempt.ts';
import { isHeld, leaseLost } from './leaseLost.ts';
import { endDependants, laterBy, putBack } from './putBack.ts';

/** Counts a failure and puts the task back for later, or ends it. */
export function fail(tables: Tables, request: FailRequest): RequeueOutcome {
  const held = heldByLease(tables, request.lease);
  if (held?.settledBy === 'fail' && held.reply !== null) return JSON.parse(held.reply);
  if (!held || !isHeld(held)) return leaseLost(held);
  const { taskSeq, attemptId, workerId, epoch } = held;
  const { error, reason = 'failed', retryAfterMs, final = false, details } = request;
  const runAt = retryAfterMs === undefined ? laterBy(tables, held, 'failures') : tables.now + retryAfterMs;
  const back = putBack(tables, held, { counted: 'failures', runAt, error, final });
  const reply: RequeueOutcome = back.state === 'dead' ? { type: 'dead' } : { type: 'requeued', runAt };
  const settledBy = { operation: 'fail', reply };
  endAttempt(tables, held, { state: reason, outcome: reason, countsAsFailure: true, error, details, settledBy });
  const change = { state: back.state, runAt, failures: back.count, attemptState: reason };
  recordEvent(tables, 'task.failed', { taskSeq, attemptId, workerId, epoch }, change);
  endDependants(tables, held, back);
  return reply;
}
