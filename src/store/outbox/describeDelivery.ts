import { formatAgo } from '../../system/formatDuration.ts';
import type { Delivery } from './deliverKept.ts';
import { type KeptSettlement, settlementWord } from './settlement.ts';

/** A sentence for a log; null while it waits, which is reported with the outage. */
export function describeDelivery(delivery: Delivery, now: number): string | null {
  if (delivery.type === 'waiting') return null;
  const { settlement } = delivery;
  const { taskId, epoch } = settlement.request.lease;
  const what = `task ${taskId}: its settlement (${settlementWord(settlement)}) from ${formatAgo(settlement.keptAt, now)}`;
  if (delivery.type === 'delivered') return `${what} is delivered`;
  return `${what}, attempt ${epoch}, is ${delivery.why}; it is kept in the outbox of this machine`;
}

/** `task k3v9 (w, attempt 2), completed 3m ago: not delivered yet`. */
export function describeKept(settlement: KeptSettlement, now: number): string {
  const { taskId, workerId, epoch } = settlement.request.lease;
  const branch = settlement.request.details?.branch;
  const where = branch === undefined ? '' : `, branch ${branch}`;
  const state = settlement.refused ?? 'not delivered yet';
  return `task ${taskId.slice(0, 8)} (${workerId}, attempt ${epoch}${where}), ${settlementWord(settlement)} ${formatAgo(settlement.keptAt, now)}: ${state}`;
}
