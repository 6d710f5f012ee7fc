import type { EventKind, StoreEvent } from '../event.ts';
import type { Tables } from './tables.ts';

export interface EventSubject {
  readonly taskSeq?: number | null;
  readonly attemptId?: string | null;
  readonly workerId?: string | null;
  readonly epoch?: number | null;
  readonly actor?: string | null | undefined;
}

const INSERT = `INSERT INTO events (at, kind, task_seq, attempt_id, worker_id, epoch, actor, data)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** Tells a change, in the transaction that makes it. */
export function recordEvent(
  tables: Tables,
  kind: EventKind,
  subject: EventSubject,
  data: StoreEvent['data'] = {},
): void {
  const { taskSeq = null, attemptId = null, workerId = null, epoch = null, actor = null } = subject;
  tables.run(INSERT, tables.now, kind, taskSeq, attemptId, workerId, epoch, actor, JSON.stringify(data));
}
