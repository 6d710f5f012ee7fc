import type { Worker, WorkerState, WorkerStatus } from '../worker.ts';
import type { Tables } from './tables.ts';

interface WorkerRow extends Omit<Worker, 'status' | 'types' | 'idleSince' | 'pausedUntil'> {
  readonly types: string | null;
  readonly accountPausedUntil: number | null;
}

const WORKERS = `SELECT w.id, w.incarnation, w.kind, w.queue, w.types, w.host, w.pid, w.pid_start AS pidStart,
  w.session_id AS sessionId, w.account_key AS accountKey, w.idle_limit_ms AS idleLimitMs, w.state,
  w.registered_at AS registeredAt, w.launch_until AS launchUntil, w.heartbeat_at AS heartbeatAt,
  w.activity_at AS activityAt, w.tool_started_at AS toolStartedAt, w.last_claimed_at AS lastClaimedAt,
  w.last_settled_at AS lastSettledAt, w.suspect_at AS suspectAt, w.stop_blocks AS stopBlocks,
  w.last_block_reason AS lastBlockReason, w.exit_code AS exitCode, w.exit_reason AS exitReason,
  w.attempt_id AS attemptId, a.epoch, t.id AS taskId, c.paused_until AS accountPausedUntil
  FROM workers w LEFT JOIN accounts c ON c.key = w.account_key
  LEFT JOIN attempts a ON a.id = w.attempt_id LEFT JOIN tasks t ON t.seq = a.task_seq`;

export function workersWhere(tables: Tables, condition: string, ...values: (string | number | null)[]): Worker[] {
  const rows = tables.all<WorkerRow>(`${WORKERS} WHERE ${condition} ORDER BY w.id`, ...values);
  return rows.map((row) => workerOf(row, tables.now));
}

export function findWorker(tables: Tables, id: string): Worker | undefined {
  return workersWhere(tables, 'w.id = ?', id)[0];
}

function workerOf({ accountPausedUntil, types, ...row }: WorkerRow, now: number): Worker {
  const pausedUntil = accountPausedUntil !== null && accountPausedUntil > now ? accountPausedUntil : null;
  return {
    ...row,
    types: types === null ? null : JSON.parse(types),
    pausedUntil,
    status: workerStatus({ ...row, pausedUntil }),
    idleSince:
      row.attemptId === null ? Math.max(row.registeredAt, row.lastClaimedAt ?? 0, row.lastSettledAt ?? 0) : null,
  };
}

interface StatusFacts {
  readonly state: WorkerState;
  readonly suspectAt: number | null;
  readonly attemptId: string | null;
  readonly pausedUntil: number | null;
}

function workerStatus({ state, suspectAt, attemptId, pausedUntil }: StatusFacts): WorkerStatus {
  if (state === 'stopped' || state === 'lost') return state;
  if (suspectAt !== null) return 'suspect';
  if (state !== 'live') return state;
  if (attemptId !== null) return 'busy';
  return pausedUntil === null ? 'idle' : 'paused';
}
