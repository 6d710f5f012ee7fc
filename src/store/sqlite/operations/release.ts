import { ownValue } from '../../../system/ownValue.ts';
import type { AttemptState } from '../../attempt.ts';
import type { ReleaseReason, ReleaseRequest, RequeueOutcome } from '../../claimTypes.ts';
import { UNCOUNTED_RELEASES } from '../../releaseCounts.ts';
import { heldByLease } from '../attemptRows.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';
import { endAttempt } from './endAttempt.ts';
import { isHeld, leaseLost } from './leaseLost.ts';
import { endDependants, putBack } from './putBack.ts';

const STATES: Readonly<Partial<Record<ReleaseReason, AttemptState>>> = {
  rate_limited: 'rate_limited',
  timed_out: 'timed_out',
};

/** Gives a task back that did not fail. It goes behind what has waited as long, and what counts is bounded. */
export function release(tables: Tables, request: ReleaseRequest): RequeueOutcome {
  const held = heldByLease(tables, request.lease);
  if (held?.settledBy === 'release' && held.reply !== null) return JSON.parse(held.reply);
  if (!held || !isHeld(held)) return leaseLost(held);
  const { taskSeq, attemptId, workerId, epoch } = held;
  const { reason: outcome, delayMs = 0, checkpoint, details } = request;
  const runAt = tables.now + delayMs;
  const counted = UNCOUNTED_RELEASES.includes(outcome) ? null : 'releases';
  const back = putBack(tables, held, { counted, runAt });
  const reply: RequeueOutcome = back.state === 'dead' ? { type: 'dead' } : { type: 'requeued', runAt };
  const state = ownValue(STATES, outcome) ?? 'released';
  const settledBy = { operation: 'release', reply };
  endAttempt(tables, held, { state, outcome, checkpoint, details, settledBy });
  const change = {
    state: back.state,
    runAt,
    releases: counted === null ? held.releases : back.count,
    attemptState: state,
    reason: outcome,
  };
  recordEvent(tables, 'task.released', { taskSeq, attemptId, workerId, epoch }, change);
  endDependants(tables, held, back);
  return reply;
}
