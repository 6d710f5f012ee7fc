import type { Outcomes } from '../../outcomes.ts';
import type { Requests } from '../../requests.ts';
import type { Worker } from '../../worker.ts';
import { type HeldTask, heldByAttempt } from '../attemptRows.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Operation, Tables } from '../tables.ts';
import { endDependants } from './dependants.ts';
import { endAttempt, putBack, retryAt } from './holding.ts';
import { takeOfferBack } from './offers.ts';
import { closeLaunch, findSlot } from './workers.ts';

/**
 * Requeues a dead worker's task. Silence alone needs two calls: after a suspended machine wakes, all workers have been silent, and
 * live ones send a heartbeat before the second call.
 */
export const reap: Operation<'reap'> = (tables, request) => {
  const slot = findSlot(tables, request);
  if ('type' in slot) return slot;
  if (slot.state === 'stopped' || slot.state === 'lost') return { type: 'unchanged' };
  return (request.evidence === 'lapsed' && stillWaiting(tables, slot, request)) || bury(tables, slot, request);
};

function stillWaiting(tables: Tables, slot: Worker, request: Requests['reap']): Outcomes['reap'] | undefined {
  const { now } = tables;
  const { heartbeatAt, launchUntil, suspectAt } = slot;
  const staleAt = slot.state === 'launching' && launchUntil !== null ? launchUntil : heartbeatAt + request.staleAfterMs;
  if (suspectAt !== null) {
    const dueAt = suspectAt + request.graceMs;
    return now < dueAt ? { type: 'suspect', dueAt } : undefined;
  }
  if (now < staleAt) return { type: 'alive', heartbeatAt };
  const { workerId, actor } = request;
  tables.run('UPDATE workers SET suspect_at = ? WHERE id = ?', now, workerId);
  recordEvent(tables, 'worker.suspect', { workerId, actor }, { suspectAt: now });
  return { type: 'suspect', dueAt: now + request.graceMs };
}

const BURY = `UPDATE workers SET state = 'lost', exit_code = ?, exit_reason = ?, suspect_at = NULL, launch_until = NULL
  WHERE id = ?`;

function bury(tables: Tables, slot: Worker, request: Requests['reap']): Outcomes['reap'] {
  const { workerId, incarnation, actor, exitCode = null, evidence } = request;
  const reason = request.reason ?? evidence;
  const held = slot.attemptId === null ? undefined : heldByAttempt(tables, slot.attemptId);
  tables.run(BURY, exitCode, reason, workerId);
  closeLaunch(tables, { slot: workerId, incarnation, result: reason });
  recordEvent(tables, 'worker.lost', { workerId, actor }, { state: 'lost', reason, suspectAt: null });
  if (!held) return { type: 'reaped', task: null };
  const state = held.state === 'offered' ? takeOfferBack(tables, held) : lose(tables, held, reason);
  return { type: 'reaped', task: { id: held.taskId, state } };
}

/** Delayed: a task that kills its workers must not be the next one's first task. */
function lose(tables: Tables, held: HeldTask, reason: string): 'queued' | 'dead' {
  // a task that ends dead here needs a reason, like a failed one
  const error = `Its worker was lost: ${reason}`;
  const back = putBack(tables, held, { counted: 'reclaims', runAt: retryAt(tables, held, 'reclaims'), error });
  endAttempt(tables, held, { state: 'lost', outcome: reason });
  const change = { state: back.state, runAt: back.runAt, reclaims: back.count, attemptState: 'lost' };
  recordEvent(tables, 'task.lost', held, change);
  endDependants(tables, held, back);
  return back.state;
}
