import { leaseOf } from '../../leaseOf.ts';
import type { NotThisWorker, Outcomes } from '../../outcomes.ts';
import type { Requests } from '../../requests.ts';
import { inSnakeCase } from '../../snakeCase.ts';
import { DEFAULT_QUEUE } from '../../taskDefaults.ts';
import type { Launch, Worker, WorkerFacts } from '../../worker.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Operation, Tables } from '../tables.ts';
import { findWorker } from '../workerRows.ts';
import { leads } from './accounts.ts';
import { otherLease } from './lease.ts';

/** The next incarnation of a slot, the one a launch reserved, or the same one again for the same process or a resumed session. */
export const registerWorker: Operation<'registerWorker'> = (tables, request) => {
  const { workerId, incarnation, leaseMs } = request;
  const other = otherLease(tables, leaseMs);
  if (other) return other;
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
  if (worker && isItsProcess(worker, request)) return register(tables, request, worker.incarnation);
  const next = (worker?.incarnation ?? 0) + 1;
  startIncarnation(tables, workerId, next, request);
  return register(tables, request, next);
};

/** A process that got no answer asks again, and its first request may still arrive after the second: it has one incarnation. */
function isItsProcess({ state, host, pid, pidStart }: Worker, request: WorkerFacts): boolean {
  const isKnown = host !== null && pid !== null && pidStart !== null;
  const isSame = host === request.host && pid === request.pid && pidStart === request.pidStart;
  return state === 'live' && isKnown && isSame;
}

const REGISTER = `UPDATE workers SET state = CASE state WHEN 'launching' THEN 'live' ELSE state END,
  registered_at = CASE state WHEN 'launching' THEN ? ELSE registered_at END, launch_until = NULL, suspect_at = NULL,
  heartbeat_at = ?, activity_at = ? WHERE id = ? RETURNING state`;

function register(
  tables: Tables,
  request: Requests['registerWorker'],
  incarnation: number,
): Outcomes['registerWorker'] {
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

/** Inherits nothing from the slot's last incarnation, such as its silence. */
function startIncarnation(tables: Tables, workerId: string, incarnation: number, facts: WorkerFacts): void {
  const { now } = tables;
  tables.run('DELETE FROM workers WHERE id = ?', workerId);
  tables.run(START, workerId, incarnation, now, now, now);
  keepFacts(tables, workerId, facts);
  tables.run('INSERT INTO launches VALUES (?, ?, ?, NULL, NULL, NULL)', workerId, incarnation, now);
}

/** Reserves a slot for a process that is about to start; only one of several coordinators gets it. */
export const launch: Operation<'launch'> = (tables, request) => {
  const { slot, deadlineMs, leader } = request;
  if (leader && !leads(tables, leader)) return { type: 'notLeading' };
  const worker = findWorker(tables, slot);
  if (worker && isTaken(worker, tables.now)) return { type: 'occupied', worker, lease: leaseOf(worker) };
  const incarnation = (worker?.incarnation ?? 0) + 1;
  const launchUntil = tables.now + deadlineMs;
  startIncarnation(tables, slot, incarnation, request);
  tables.run('UPDATE workers SET launch_until = ? WHERE id = ?', launchUntil, slot);
  const change = { state: 'launching', incarnation, suspectAt: null };
  recordEvent(tables, 'worker.launching', { workerId: slot, actor: leader?.holder }, change);
  return { type: 'launching', incarnation, launchUntil };
};

function isTaken({ state, launchUntil, attemptId }: Worker, now: number): boolean {
  if (attemptId !== null || state === 'live' || state === 'draining') return true;
  return state === 'launching' && launchUntil !== null && launchUntil > now;
}

export const endLaunch: Operation<'endLaunch'> = (tables, request) => {
  const { slot, incarnation, result } = request;
  if (!closeLaunch(tables, request)) return { type: 'unchanged' };
  const stop = `UPDATE workers SET state = 'stopped', exit_reason = ?, launch_until = NULL
    WHERE id = ? AND incarnation = ? AND state = 'launching'`;
  if (tables.change(stop, result, slot, incarnation) === 1) {
    recordEvent(tables, 'worker.stopped', { workerId: slot }, { state: 'stopped', reason: result });
  }
  return { type: 'noted' };
};

/** Records how a start of a slot ended; only the first call counts. */
export function closeLaunch(tables: Tables, { slot, incarnation, result }: Requests['endLaunch']): boolean {
  const close = 'UPDATE launches SET ended_at = ?, result = ? WHERE slot = ? AND incarnation = ? AND ended_at IS NULL';
  return tables.change(close, tables.now, result, slot, incarnation) === 1;
}

const LAUNCHES = `SELECT slot, incarnation, requested_at, started_at, ended_at, result
  FROM launches WHERE (? IS NULL OR slot = ?) AND requested_at >= ?
  ORDER BY requested_at DESC, slot, incarnation DESC LIMIT ?`;

export const launches: Operation<'launches'> = (tables, { slot: only, withinMs, limit = 1_000 }) => {
  const slot = only ?? null;
  const since = withinMs === undefined ? 0 : tables.now - withinMs;
  const rows = tables.all<Launch>(LAUNCHES, slot, slot, since, limit);
  return { type: 'launches', now: tables.now, launches: rows };
};

/** The slot, if it still belongs to the incarnation that a request names, if it names one. */
export function findSlot(tables: Tables, request: Requests['drainWorker']): Worker | NotThisWorker {
  const slot = findWorker(tables, request.workerId);
  if (!slot) return { type: 'unknownWorker' };
  const { incarnation = slot.incarnation } = request;
  return slot.incarnation === incarnation ? slot : { type: 'staleIncarnation', incarnation: slot.incarnation };
}

export const updateWorker: Operation<'updateWorker'> = (tables, request) => {
  const { workerId, stopBlock } = request;
  const slot = findSlot(tables, request);
  if ('type' in slot) return slot;
  const { stopBlocks, lastBlockReason } = slot;
  const { host, pid, pidStart, sessionId, accountKey, idleLimitMs } = request;
  const kept = keepFacts(tables, workerId, { host, pid, pidStart, sessionId, accountKey, idleLimitMs });
  if (kept.length > 0) recordEvent(tables, 'worker.updated', { workerId }, { said: kept.join(' ') });
  if (stopBlock === undefined) return { type: 'updated', stopBlocks, sameReason: false };
  if (stopBlock === 'clear') return clearBlocks(tables, workerId, stopBlocks);
  const count = stopBlocks + 1;
  const block = 'UPDATE workers SET stop_blocks = ?, last_block_reason = ? WHERE id = ?';
  tables.run(block, count, stopBlock.reason, workerId);
  recordEvent(tables, 'worker.stopBlocked', { workerId }, { stopBlocks: count, reason: stopBlock.reason });
  return { type: 'updated', stopBlocks: count, sameReason: stopBlocks > 0 && lastBlockReason === stopBlock.reason };
};

function clearBlocks(tables: Tables, workerId: string, before: number): Outcomes['updateWorker'] {
  if (before > 0) {
    tables.run('UPDATE workers SET stop_blocks = 0, last_block_reason = NULL WHERE id = ?', workerId);
    recordEvent(tables, 'worker.stopBlocksCleared', { workerId }, { stopBlocks: 0 });
  }
  return { type: 'updated', stopBlocks: 0, sameReason: false };
}

const FACTS = ['kind', 'queue', 'types', 'host', 'pid', 'pidStart', 'sessionId', 'accountKey', 'idleLimitMs'] as const;

/** Stores the given facts and leaves the others unchanged. Returns their names. */
function keepFacts(tables: Tables, workerId: string, facts: WorkerFacts): string[] {
  const names = FACTS.filter((name) => facts[name] !== undefined);
  if (names.length === 0) return [];
  const values = names.map((name) => {
    const value = facts[name];
    return value === undefined || value === null ? null : typeof value === 'object' ? JSON.stringify(value) : value;
  });
  const assignments = names.map((name) => `${inSnakeCase(name)} = ?`).join(', ');
  tables.run(`UPDATE workers SET ${assignments} WHERE id = ?`, ...values, workerId);
  return names;
}

/** It finishes its task and claims no more. */
export const drainWorker: Operation<'drainWorker'> = (tables, request) => {
  const slot = findSlot(tables, request);
  if ('type' in slot) return slot;
  const { workerId, actor } = request;
  if (slot.state !== 'live' && slot.state !== 'launching') return { type: 'unchanged' };
  tables.run(`UPDATE workers SET state = 'draining' WHERE id = ?`, workerId);
  recordEvent(tables, 'worker.draining', { workerId, actor }, { state: 'draining' });
  return { type: 'draining' };
};

const STOP = `UPDATE workers SET state = 'stopped', exit_code = ?, exit_reason = ?, suspect_at = NULL, launch_until = NULL
  WHERE id = ?`;

/** Refused while the worker has a task, which would otherwise be lost. */
export const stopWorker: Operation<'stopWorker'> = (tables, request) => {
  const { workerId, incarnation, exitCode = null, exitReason } = request;
  const slot = findSlot(tables, request);
  if ('type' in slot) return slot;
  if (slot.state === 'stopped' || slot.state === 'lost') return { type: 'stopped' };
  const lease = leaseOf(slot);
  if (lease) return { type: 'holding', lease };
  tables.run(STOP, exitCode, exitReason, workerId);
  closeLaunch(tables, { slot: workerId, incarnation, result: exitReason });
  recordEvent(tables, 'worker.stopped', { workerId }, { state: 'stopped', reason: exitReason, suspectAt: null });
  return { type: 'stopped' };
};

export const deferReclaim: Operation<'deferReclaim'> = (tables, request) => {
  const slot = findSlot(tables, request);
  if ('type' in slot) return slot;
  const { workerId, reason, actor } = request;
  recordEvent(tables, 'worker.reclaimDeferred', { workerId, attemptId: slot.attemptId, actor }, { reason });
  return { type: 'noted' };
};
