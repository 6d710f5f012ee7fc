import type { PauseQueueOutcome, PauseQueueRequest } from '../../taskOperationTypes.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';
import { isQueuePaused } from './readiness.ts';

/** Nothing of this queue is claimed until it is resumed; what is being worked on goes on. */
export function pauseQueue(tables: Tables, { queue, reason, actor }: PauseQueueRequest): PauseQueueOutcome {
  if (isQueuePaused(tables, queue)) return { type: 'unchanged' };
  const pause = `INSERT INTO queues VALUES (?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET paused_at = excluded.paused_at, reason = excluded.reason`;
  tables.run(pause, queue, tables.now, reason ?? null);
  recordEvent(tables, 'queue.paused', { actor }, { queue, reason: reason ?? null });
  return { type: 'changed' };
}

export function resumeQueue(tables: Tables, { queue, reason, actor }: PauseQueueRequest): PauseQueueOutcome {
  if (!isQueuePaused(tables, queue)) return { type: 'unchanged' };
  tables.run('UPDATE queues SET paused_at = NULL, reason = NULL WHERE name = ?', queue);
  recordEvent(tables, 'queue.resumed', { actor }, { queue, reason: reason ?? null });
  return { type: 'changed' };
}
