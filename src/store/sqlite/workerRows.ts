import type { Worker, WorkerStatus } from '../worker.ts';
import type { Tables } from './tables.ts';

interface WorkerRow extends Omit<Worker, 'status' | 'types' | 'idleSince'> {
  readonly types: string | null;
}

const WORKERS = `SELECT w.id, w.incarnation, w.kind, w.queue, w.types, w.host, w.pid, w.pid_start, w.session_id, w.account_key,
  w.idle_limit_ms, w.state, w.registered_at, w.launch_until, w.heartbeat_at, w.activity_at, w.tool_started_at, w.last_claimed_at,
  w.last_settled_at, w.suspect_at, w.stop_blocks, w.last_block_reason, w.exit_code, w.exit_reason, w.attempt_id, a.epoch,
  t.id AS task_id, c.paused_until
  FROM workers w LEFT JOIN accounts c ON c.key = w.account_key AND c.paused_until > ?
  LEFT JOIN attempts a ON a.id = w.attempt_id LEFT JOIN tasks t ON t.seq = a.task_seq`;

export function workersWhere(tables: Tables, condition: string, ...values: (string | number | null)[]): Worker[] {
  return tables.all<WorkerRow>(`${WORKERS} WHERE ${condition} ORDER BY w.id`, tables.now, ...values).map(workerOf);
}

export function findWorker(tables: Tables, id: string): Worker | undefined {
  return workersWhere(tables, 'w.id = ?', id)[0];
}

function workerOf({ types, ...row }: WorkerRow): Worker {
  const { attemptId, registeredAt, lastClaimedAt, lastSettledAt } = row;
  return {
    ...row,
    types: types === null ? null : JSON.parse(types),
    status: statusOf(row),
    idleSince: attemptId === null ? Math.max(registeredAt, lastClaimedAt ?? 0, lastSettledAt ?? 0) : null,
  };
}

type StatusFacts = Pick<Worker, 'state' | 'suspectAt' | 'attemptId' | 'pausedUntil'>;

function statusOf({ state, suspectAt, attemptId, pausedUntil }: StatusFacts): WorkerStatus {
  if (state === 'stopped' || state === 'lost') return state;
  if (suspectAt !== null) return 'suspect';
  if (state !== 'live') return state;
  if (attemptId !== null) return 'busy';
  return pausedUntil === null ? 'idle' : 'paused';
}
