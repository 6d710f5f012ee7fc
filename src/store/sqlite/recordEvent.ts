import type { EventKind, StoreEvent } from '../event.ts';
import type { Tables, Value } from './tables.ts';

interface EventSubject {
  readonly taskSeq?: number | null;
  readonly attemptId?: string | null;
  readonly workerId?: string | null;
  readonly epoch?: number | null;
  readonly actor?: string | null | undefined;
}

const INSERT = `INSERT INTO events (at, kind, task_seq, attempt_id, worker_id, epoch, actor, data, previous)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT last_event FROM tasks WHERE seq = ?))`;

/** Records a change, in the transaction that makes it. */
export function recordEvent(tables: Tables, kind: EventKind, subject: EventSubject, data: StoreEvent['data'] = {}) {
  insertEvent(tables, kind, subject, data);
  nameLastEvent(tables, subject.taskSeq);
}

/** For callers whose next statement changes the task's row with `NAME_LAST_EVENT`. */
export function insertEvent(tables: Tables, kind: EventKind, subject: EventSubject, data: StoreEvent['data']): void {
  const { taskSeq = null, attemptId = null, workerId = null, epoch = null, actor = null } = subject;
  tables.run(INSERT, tables.now, kind, taskSeq, attemptId, workerId, epoch, actor, JSON.stringify(data), taskSeq);
}

/** The event just inserted is the last one of its task. */
export const NAME_LAST_EVENT = 'last_event = last_insert_rowid()';

const NAME = `UPDATE tasks SET ${NAME_LAST_EVENT} WHERE seq = ?`;

export function nameLastEvent(tables: Tables, taskSeq: Value | undefined): void {
  if (typeof taskSeq === 'number') tables.run(NAME, taskSeq);
}

export function lastEventOf(tables: Tables, taskSeq: Value | undefined): number | null {
  if (typeof taskSeq !== 'number') return null;
  const task = tables.get<{ lastEvent: number | null }>('SELECT last_event FROM tasks WHERE seq = ?', taskSeq);
  return task?.lastEvent ?? null;
}
