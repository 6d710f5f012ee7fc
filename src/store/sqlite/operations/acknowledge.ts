import type { AcknowledgeOutcome, AcknowledgeRequest } from '../../claimTypes.ts';
import { heldByLease, PLACE } from '../attemptRows.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';
import { isHeld, leaseLost } from './leaseLost.ts';

/** The worker has what it was offered; its time starts now. */
export function acknowledge(tables: Tables, { lease }: AcknowledgeRequest): AcknowledgeOutcome {
  const held = heldByLease(tables, lease);
  if (!held || !isHeld(held)) return leaseLost(held);
  if (held.state === 'active') return { type: 'acknowledged' };
  const { taskSeq, attemptId, workerId, epoch, timeBudgetMs } = held;
  const deadlineAt = timeBudgetMs === null ? null : tables.now + timeBudgetMs;
  tables.run(
    `UPDATE attempts SET state = 'active', started_at = ?, deadline_at = ? WHERE place = ${PLACE}`,
    tables.now,
    deadlineAt,
    taskSeq,
    epoch,
  );
  recordEvent(tables, 'task.acknowledged', { taskSeq, attemptId, workerId, epoch }, { attemptState: 'active' });
  return { type: 'acknowledged' };
}
