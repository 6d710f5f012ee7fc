import type { CompleteOutcome, CompleteRequest } from '../../claimTypes.ts';
import { type HeldTask, heldByLease, PLACE } from '../attemptRows.ts';
import { insertEvent, NAME_LAST_EVENT, recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';
import { claim } from './claim.ts';
import { endAttempt } from './endAttempt.ts';
import { isHeld, leaseLost, wasGivenUp } from './leaseLost.ts';
import { meetDependants } from './settleDependants.ts';

/** Settles a task and, if that was asked for along with it, takes the next. */
export function complete(tables: Tables, request: CompleteRequest): CompleteOutcome {
  const outcome = settle(tables, request);
  if (request.next === undefined || outcome.type !== 'accepted') return outcome;
  const { workerId, incarnation } = request.lease;
  return { ...outcome, next: claim(tables, { ...request.next, workerId, incarnation }) };
}

/** Accepts a result once: from whoever has the latest epoch, also when it had been given up and nobody took it since. */
function settle(tables: Tables, request: CompleteRequest): CompleteOutcome {
  const held = heldByLease(tables, request.lease);
  if (!held) return { type: 'unknownAttempt' };
  if (held.settledBy === 'complete' && held.reply !== null) return JSON.parse(held.reply);
  if (isHeld(held)) return accept(tables, held, request, false);
  if (wasGivenUp(held)) return accept(tables, held, request, true);
  return keepLate(tables, held, request.result);
}

const ACCEPT = `UPDATE tasks SET state = ?, attempt_id = ?, reclaims = ?, releases = ?, last_error = NULL, verify_reply = NULL,
  verify_epoch = verify_epoch + 1, verify_holder = NULL, verify_until = NULL, updated_at = ?, ${NAME_LAST_EVENT}
  WHERE seq = ? AND epoch = ?`;

function accept(tables: Tables, held: HeldTask, { result, details }: CompleteRequest, late: boolean): CompleteOutcome {
  const { taskSeq, attemptId, workerId, epoch } = held;
  const taskState = held.verify === null ? 'done' : 'verifying';
  const reply: CompleteOutcome = { type: 'accepted', taskState, late };
  // what giving it up had cost was not deserved
  const reclaims = held.reclaims - (held.state === 'lost' ? 1 : 0);
  const releases = held.releases - (late && held.state === 'released' ? 1 : 0);
  const settledBy = { operation: 'complete', reply };
  endAttempt(tables, held, {
    state: 'succeeded',
    outcome: late ? 'completed_late' : 'completed',
    result,
    details,
    settledBy,
  });
  // counts only change when it is late
  const change = { state: taskState, attemptState: 'succeeded', ...(late && { reclaims, releases }), late };
  insertEvent(tables, 'task.completed', { taskSeq, attemptId, workerId, epoch }, change);
  tables.run(ACCEPT, taskState, attemptId, reclaims, releases, tables.now, taskSeq, epoch);
  if (taskState === 'done' && held.awaited) meetDependants(tables, taskSeq);
  return reply;
}

const KEEP = `UPDATE attempts SET late_result = ?, state = ?, settled_by = coalesce(settled_by, 'complete'),
  reply = coalesce(reply, ?) WHERE place = ${PLACE}`;

/** A result that comes too late is refused and kept: the work may be worth more than the record of it. */
function keepLate(tables: Tables, held: HeldTask, result: string): CompleteOutcome {
  const { taskSeq, attemptId, workerId, epoch } = held;
  const reply = leaseLost(held);
  if (held.lateResult === null) {
    const state = reply.type === 'superseded' ? 'superseded' : held.state;
    tables.run(KEEP, result, state, JSON.stringify(reply), taskSeq, epoch);
    recordEvent(tables, 'task.late', { taskSeq, attemptId, workerId, epoch }, { attemptState: state });
  }
  return reply;
}
