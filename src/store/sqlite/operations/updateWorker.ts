import type { NotThisWorker, UpdateWorkerOutcome, UpdateWorkerRequest, WorkerRef } from '../../workerOperationTypes.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';
import { keepFacts } from './workerFacts.ts';

export interface SlotRow {
  readonly incarnation: number;
  readonly state: 'launching' | 'live' | 'draining' | 'stopped' | 'lost';
  readonly attemptId: string | null;
  readonly heartbeatAt: number;
  readonly suspectAt: number | null;
  readonly launchUntil: number | null;
  readonly stopBlocks: number;
  readonly lastBlockReason: string | null;
}

const SLOT = `SELECT incarnation, state, attempt_id AS attemptId, heartbeat_at AS heartbeatAt, suspect_at AS suspectAt,
  launch_until AS launchUntil, stop_blocks AS stopBlocks, last_block_reason AS lastBlockReason FROM workers WHERE id = ?`;

/** The slot, if it is still this incarnation's. */
export function findSlot(tables: Tables, { workerId, incarnation }: WorkerRef): SlotRow | NotThisWorker {
  const slot = tables.get<SlotRow>(SLOT, workerId);
  if (!slot) return { type: 'unknownWorker' };
  return slot.incarnation === incarnation ? slot : { type: 'staleIncarnation', incarnation: slot.incarnation };
}

export function updateWorker(tables: Tables, request: UpdateWorkerRequest): UpdateWorkerOutcome {
  const { workerId, stopBlock } = request;
  const slot = findSlot(tables, request);
  if ('type' in slot) return slot;
  const { stopBlocks, lastBlockReason } = slot;
  const { host, pid, pidStart, sessionId, accountKey, idleLimitMs } = request;
  const said = keepFacts(tables, workerId, { host, pid, pidStart, sessionId, accountKey, idleLimitMs });
  if (said.length > 0) recordEvent(tables, 'worker.updated', { workerId }, { said: said.join(' ') });
  if (stopBlock === undefined) return { type: 'updated', stopBlocks, sameReason: false };
  if (stopBlock === 'clear') return clearBlocks(tables, workerId, stopBlocks);
  const count = stopBlocks + 1;
  const block = 'UPDATE workers SET stop_blocks = ?, last_block_reason = ? WHERE id = ?';
  tables.run(block, count, stopBlock.reason, workerId);
  recordEvent(tables, 'worker.stopBlocked', { workerId }, { stopBlocks: count, reason: stopBlock.reason });
  return { type: 'updated', stopBlocks: count, sameReason: stopBlocks > 0 && lastBlockReason === stopBlock.reason };
}

function clearBlocks(tables: Tables, workerId: string, before: number): UpdateWorkerOutcome {
  if (before > 0) {
    tables.run('UPDATE workers SET stop_blocks = 0, last_block_reason = NULL WHERE id = ?', workerId);
    recordEvent(tables, 'worker.stopBlocksCleared', { workerId }, { stopBlocks: 0 });
  }
  return { type: 'updated', stopBlocks: 0, sameReason: false };
}
