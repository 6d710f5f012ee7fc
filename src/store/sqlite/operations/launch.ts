import { leaseOf } from '../../leaseOf.ts';
import type { Launch, Worker } from '../../worker.ts';
import type {
  EndLaunchRequest,
  LaunchesOutcome,
  LaunchesRequest,
  LaunchOutcome,
  LaunchRequest,
} from '../../workerOperationTypes.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';
import { findWorker } from '../workerRows.ts';
import { leads } from './leaders.ts';
import { startIncarnation } from './registerWorker.ts';

/** Reserves a slot for a process that is about to start; only one of several coordinators gets it. */
export function launch(tables: Tables, request: LaunchRequest): LaunchOutcome {
  const { slot, deadlineMs, leader } = request;
  if (leader && !leads(tables, leader)) return { type: 'notLeading' };
  const worker = findWorker(tables, slot);
  if (worker && isTaken(worker, tables.now)) return { type: 'occupied', worker, lease: leaseOf(worker) };
  const incarnation = (worker?.incarnation ?? 0) + 1;
  const launchUntil = tables.now + deadlineMs;
  startIncarnation(tables, slot, incarnation, request);
  tables.run('UPDATE workers SET launch_until = ? WHERE id = ?', launchUntil, slot);
  tables.run('INSERT INTO launches VALUES (?, ?, ?, NULL, NULL, NULL)', slot, incarnation, tables.now);
  const change = { state: 'launching', incarnation, suspectAt: null };
  recordEvent(tables, 'worker.launching', { workerId: slot, actor: leader?.holder }, change);
  return { type: 'launching', incarnation, launchUntil };
}

function isTaken({ state, launchUntil, attemptId }: Worker, now: number): boolean {
  if (attemptId !== null || state === 'live' || state === 'draining') return true;
  return state === 'launching' && launchUntil !== null && launchUntil > now;
}

export function endLaunch(tables: Tables, request: EndLaunchRequest): { readonly type: 'noted' | 'unchanged' } {
  const { slot, incarnation, result } = request;
  if (!closeLaunch(tables, request)) return { type: 'unchanged' };
  const stop = `UPDATE workers SET state = 'stopped', exit_reason = ?, launch_until = NULL
    WHERE id = ? AND incarnation = ? AND state = 'launching'`;
  if (tables.change(stop, result, slot, incarnation) === 1) {
    recordEvent(tables, 'worker.stopped', { workerId: slot }, { state: 'stopped', reason: result });
  }
  return { type: 'noted' };
}

/** How a start of a slot ended; the first word on it stays. */
export function closeLaunch(tables: Tables, { slot, incarnation, result }: EndLaunchRequest): boolean {
  const close = 'UPDATE launches SET ended_at = ?, result = ? WHERE slot = ? AND incarnation = ? AND ended_at IS NULL';
  return tables.change(close, tables.now, result, slot, incarnation) === 1;
}

const LAUNCHES = `SELECT slot, incarnation, requested_at AS requestedAt, started_at AS startedAt, ended_at AS endedAt, result
  FROM launches WHERE (? IS NULL OR slot = ?) AND requested_at >= ?
  ORDER BY requested_at DESC, slot, incarnation DESC LIMIT ?`;

export function launches(tables: Tables, { slot: only, withinMs, limit = 1_000 }: LaunchesRequest): LaunchesOutcome {
  const slot = only ?? null;
  const since = withinMs === undefined ? 0 : tables.now - withinMs;
  const rows = tables.all<Launch>(LAUNCHES, slot, slot, since, limit);
  return { type: 'launches', now: tables.now, launches: rows.map((row) => ({ ...row })) };
}
