import { leaseOf } from '../../leaseOf.ts';
import { DEFAULT_QUEUE } from '../../taskDefaults.ts';
import type { WorkerFacts } from '../../worker.ts';
import type { RegisterOutcome, RegisterRequest } from '../../workerOperationTypes.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';
import { findWorker } from '../workerRows.ts';
import { keepFacts } from './workerFacts.ts';

/** The next incarnation of a slot, the one a launch reserved, or the same one again after its session was resumed. */
export function registerWorker(tables: Tables, request: RegisterRequest): RegisterOutcome {
  const { workerId, incarnation } = request;
  const worker = findWorker(tables, workerId);
  if (incarnation !== undefined) {
    const running = worker?.state !== 'stopped' && worker?.state !== 'lost';
    if (worker?.incarnation !== incarnation || !running) {
      return { type: 'staleIncarnation', incarnation: worker?.incarnation ?? 0 };
    }
    return register(tables, request, incarnation);
  }
  const lease = worker && leaseOf(worker);
  if (worker && lease) return { type: 'occupied', worker, lease };
  const next = (worker?.incarnation ?? 0) + 1;
  startIncarnation(tables, workerId, next, request);
  tables.run('INSERT INTO launches VALUES (?, ?, ?, NULL, NULL, NULL)', workerId, next, tables.now);
  return register(tables, request, next);
}

const REGISTER = `UPDATE workers SET state = CASE state WHEN 'launching' THEN 'live' ELSE state END,
  registered_at = CASE state WHEN 'launching' THEN ? ELSE registered_at END, launch_until = NULL, suspect_at = NULL,
  heartbeat_at = ?, activity_at = ? WHERE id = ? RETURNING state`;

function register(tables: Tables, request: RegisterRequest, incarnation: number): RegisterOutcome {
  const { workerId } = request;
  const { now } = tables;
  const started = 'UPDATE launches SET started_at = ? WHERE slot = ? AND incarnation = ? AND started_at IS NULL';
  tables.run(started, now, workerId, incarnation);
  const row = tables.get<{ state: string }>(REGISTER, now, now, now, workerId);
  keepFacts(tables, workerId, request);
  recordEvent(tables, 'worker.registered', { workerId }, { state: row?.state ?? null, incarnation, suspectAt: null });
  return { type: 'registered', incarnation };
}

const START = `INSERT INTO workers (id, incarnation, kind, queue, state, registered_at, heartbeat_at, activity_at)
  VALUES (?, ?, 'default', '${DEFAULT_QUEUE}', 'launching', ?, ?, ?)`;

/** Nothing of the slot's last incarnation is inherited: its silence is not this one's. */
export function startIncarnation(tables: Tables, workerId: string, incarnation: number, facts: WorkerFacts): void {
  const { now } = tables;
  tables.run('DELETE FROM workers WHERE id = ?', workerId);
  tables.run(START, workerId, incarnation, now, now, now);
  keepFacts(tables, workerId, facts);
}
