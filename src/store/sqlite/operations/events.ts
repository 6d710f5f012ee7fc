import type { StoreEvent } from '../../event.ts';
import type { EventsOutcome, EventsRequest } from '../../types.ts';
import type { Tables } from '../tables.ts';

interface EventRow extends Omit<StoreEvent, 'cursor' | 'data'> {
  readonly seq: number;
  readonly data: string;
}

const EVENTS = `SELECT e.seq, e.at, e.kind, t.id AS taskId, e.attempt_id AS attemptId, e.worker_id AS workerId, e.epoch,
  e.actor, e.data FROM events e LEFT JOIN tasks t ON t.seq = e.task_seq`;

/** There is one writer at a time, so the order of numbers is the order of commits. */
export function events(tables: Tables, request: EventsRequest): EventsOutcome {
  const { after, limit = 1_000, taskId, newest = false } = request;
  const from = after === undefined ? (newest ? Number.MAX_SAFE_INTEGER : 0) : Number(after);
  const ofTask = taskId === undefined ? '' : 'AND e.task_seq = (SELECT seq FROM tasks WHERE id = ?)';
  const order = newest ? `WHERE e.seq < ? ${ofTask} ORDER BY e.seq DESC` : `WHERE e.seq > ? ${ofTask} ORDER BY e.seq`;
  const values = taskId === undefined ? [from, limit] : [from, taskId, limit];
  const rows = tables.all<EventRow>(`${EVENTS} ${order} LIMIT ?`, ...values);
  return { type: 'events', events: rows.map(eventOf) };
}

function eventOf({ seq, data, ...row }: EventRow): StoreEvent {
  return { ...row, cursor: String(seq), data: JSON.parse(data) };
}
