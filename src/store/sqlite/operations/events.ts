import type { StoreEvent } from '../../event.ts';
import type { EventsOutcome, EventsRequest } from '../../types.ts';
import type { Tables } from '../tables.ts';

interface EventRow extends Omit<StoreEvent, 'cursor' | 'data'> {
  readonly seq: number;
  readonly data: string;
}

const SELECT = `SELECT e.seq, e.at, e.kind, t.id AS taskId, e.attempt_id AS attemptId, e.worker_id AS workerId, e.epoch,
  e.actor, e.data`;
const OF_ALL = `${SELECT} FROM events e LEFT JOIN tasks t ON t.seq = e.task_seq`;

/** A task names its last event, and each of its events the one before. CROSS JOIN: along that chain, not through all events. */
const OF_TASK = `WITH RECURSIVE chain (seq) AS (
  SELECT last_event FROM tasks WHERE id = ? UNION ALL
  SELECT previous FROM chain CROSS JOIN events USING (seq) WHERE previous IS NOT NULL
) ${SELECT} FROM chain CROSS JOIN events e ON e.seq = chain.seq CROSS JOIN tasks t ON t.seq = e.task_seq`;

/** There is one writer at a time, so the order of numbers is the order of commits. */
export function events(tables: Tables, request: EventsRequest): EventsOutcome {
  const { after, limit = 1_000, taskId, newest = false } = request;
  const from = after === undefined ? (newest ? Number.MAX_SAFE_INTEGER : 0) : Number(after);
  const order = newest ? 'WHERE e.seq < ? ORDER BY e.seq DESC LIMIT ?' : 'WHERE e.seq > ? ORDER BY e.seq LIMIT ?';
  const rows =
    taskId === undefined
      ? tables.all<EventRow>(`${OF_ALL} ${order}`, from, limit)
      : tables.all<EventRow>(`${OF_TASK} ${order}`, taskId, from, limit);
  return { type: 'events', events: rows.map(eventOf) };
}

function eventOf({ seq, data, ...row }: EventRow): StoreEvent {
  return { ...row, cursor: String(seq), data: JSON.parse(data) };
}
