import { leaseOf } from '../../leaseOf.ts';
import type {
  DeferReclaimOutcome,
  DeferReclaimRequest,
  DrainWorkerOutcome,
  DrainWorkerRequest,
  StopWorkerOutcome,
  StopWorkerRequest,
} from '../../workerOperationTypes.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';
import { findWorker } from '../workerRows.ts';
import { closeLaunch } from './launch.ts';
import { findSlot } from './updateWorker.ts';

/** It finishes what it has and takes nothing more. */
export function drainWorker(tables: Tables, { workerId, incarnation, actor }: DrainWorkerRequest): DrainWorkerOutcome {
  const worker = findWorker(tables, workerId);
  if (!worker) return { type: 'unknownWorker' };
  if (incarnation !== undefined && worker.incarnation !== incarnation) {
    return { type: 'staleIncarnation', incarnation: worker.incarnation };
  }
  if (worker.state !== 'live' && worker.state !== 'launching') return { type: 'unchanged' };
  tables.run(`UPDATE workers SET state = 'draining' WHERE id = ?`, workerId);
  recordEvent(tables, 'worker.draining', { workerId, actor }, { state: 'draining' });
  return { type: 'draining' };
}

const STOP = `UPDATE workers SET state = 'stopped', exit_code = ?, exit_reason = ?, suspect_at = NULL, launch_until = NULL
  WHERE id = ?`;

/** It ends because it may. One that still has a task may not: that would leave the task with nobody. */
export function stopWorker(tables: Tables, request: StopWorkerRequest): StopWorkerOutcome {
  const { workerId, incarnation, exitCode = null, exitReason } = request;
  const slot = findSlot(tables, request);
  if ('type' in slot) return slot;
  if (slot.state === 'stopped' || slot.state === 'lost') return { type: 'stopped' };
  const worker = findWorker(tables, workerId);
  const lease = worker && leaseOf(worker);
  if (lease) return { type: 'holding', lease };
  tables.run(STOP, exitCode, exitReason, workerId);
  closeLaunch(tables, { slot: workerId, incarnation, result: exitReason });
  recordEvent(tables, 'worker.stopped', { workerId }, { state: 'stopped', reason: exitReason, suspectAt: null });
  return { type: 'stopped' };
}

export function deferReclaim(tables: Tables, request: DeferReclaimRequest): DeferReclaimOutcome {
  const slot = findSlot(tables, request);
  if ('type' in slot) return slot;
  const { workerId, reason, actor } = request;
  recordEvent(tables, 'worker.reclaimDeferred', { workerId, attemptId: slot.attemptId, actor }, { reason });
  return { type: 'noted' };
}
