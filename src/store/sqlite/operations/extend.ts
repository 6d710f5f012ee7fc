import type { ExtendOutcome, ExtendRequest } from '../../claimTypes.ts';
import { heldByLease, PLACE } from '../attemptRows.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';
import { isHeld, leaseLost } from './leaseLost.ts';

/** More time for an attempt that got on, once. */
export function extend(tables: Tables, { lease, byMs }: ExtendRequest): ExtendOutcome {
  const held = heldByLease(tables, lease);
  if (!held || !isHeld(held)) return leaseLost(held);
  const { taskSeq, attemptId, workerId, epoch } = held;
  if (held.deadlineAt === null) return { type: 'refused', reason: 'noDeadline' };
  if (held.extendedMs > 0) return { type: 'refused', reason: 'extendedBefore' };
  const deadlineAt = held.deadlineAt + byMs;
  tables.run(
    `UPDATE attempts SET deadline_at = ?, extended_ms = ? WHERE place = ${PLACE}`,
    deadlineAt,
    byMs,
    taskSeq,
    epoch,
  );
  recordEvent(tables, 'attempt.extended', { taskSeq, attemptId, workerId, epoch }, { deadlineAt });
  return { type: 'extended', deadlineAt };
}
