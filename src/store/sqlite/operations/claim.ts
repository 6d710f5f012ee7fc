import { leaseOfAttempt } from '../../leaseOf.ts';
import { claimedOutcome, newAttempt } from '../../newAttempt.ts';
import type { Claimed, ClaimRefusal, Outcomes } from '../../outcomes.ts';
import type { Requests } from '../../requests.ts';
import { DEFAULT_QUEUE } from '../../taskDefaults.ts';
import type { Worker } from '../../worker.ts';
import { attemptBefore, findAttempt, isLive, PLACE } from '../attemptRows.ts';
import { insertEvent, NAME_LAST_EVENT, recordEvent } from '../recordEvent.ts';
import type { Operation, Tables } from '../tables.ts';
import { findTaskById, type TaskRow, taskBySeq } from '../taskRows.ts';
import { timeLimit } from './budgets.ts';
import { HAS_LANES, isKeptBack, limitsOf } from './limits.ts';
import { expireDueOffers } from './offers.ts';
import { isQueuePaused, type ReadyEntry, readinessOf, scanReady, scanWithin } from './ready.ts';

/** All checks before any task, in one statement: a statement costs more than what it reads. */
interface Gate
  extends Pick<Worker, 'incarnation' | 'state' | 'attemptId' | 'heartbeatAt' | 'suspectAt' | 'pausedUntil'> {
  readonly queuePaused: number;
  readonly queueLimit: number | null;
  readonly hasLanes: number;
  readonly staleOffers: number;
  readonly keyUsed: number;
}

const GATE = `SELECT w.incarnation, w.state, w.attempt_id, w.heartbeat_at,
  w.suspect_at, c.paused_until,
  q.paused_at IS NOT NULL AS queue_paused, q.max_claimed AS queue_limit, ${HAS_LANES} AS has_lanes,
  EXISTS (SELECT 1 FROM attempts INDEXED BY attempts_offered WHERE state = 'offered' AND offer_until <= ?) AS stale_offers,
  EXISTS (SELECT 1 FROM attempts WHERE id = ?) AS key_used
  FROM workers w LEFT JOIN accounts c ON c.key = w.account_key LEFT JOIN queues q ON q.name = ? WHERE w.id = ?`;

/** Claims the first task that this worker may have now, or returns why there is none. */
export const claim: Operation<'claim'> = (tables, request) => {
  const queue = request.queue ?? DEFAULT_QUEUE;
  const gate = readGate(tables, request, queue);
  if (!gate) return { type: 'refused', reason: 'unknownWorker' };
  if (gate.incarnation !== request.incarnation) {
    return { type: 'refused', reason: 'staleIncarnation', incarnation: gate.incarnation };
  }
  const repeated = gate.keyUsed ? claimedBefore(tables, request) : undefined;
  if (repeated) return repeated;
  const refusal = whyRefused(tables, gate);
  if (refusal) return { type: 'refused', ...refusal };
  showAlive(tables, gate, request.workerId);
  if (request.taskId !== undefined) return claimNamed(tables, request, request.taskId);
  const due = gate.queuePaused ? undefined : firstDue(tables, gate, queue, request.types);
  if (due) return takeTask(tables, request, due);
  return { type: 'empty', ...readinessOf(tables, queue, request.types) };
};

function readGate(tables: Tables, { workerId, claimKey }: Requests['claim'], queue: string): Gate | undefined {
  const read = () => tables.get<Gate>(GATE, queue, queue, tables.now, claimKey, queue, workerId);
  const gate = read();
  if (gate && !gate.staleOffers) return gate;
  expireDueOffers(tables);
  return read();
}

/** A queue without a limit and without keys has one lane, and nothing is counted. */
function firstDue(
  tables: Tables,
  { queueLimit, hasLanes }: Gate,
  queue: string,
  types: readonly string[] | undefined,
): ReadyEntry | undefined {
  const limits = queueLimit !== null || hasLanes ? limitsOf(tables, queue) : undefined;
  return (limits ? scanWithin(tables, { queue, types, limits }) : scanReady(tables, queue, types)).due;
}

/** A claim whose answer was lost can be repeated with its key. */
function claimedBefore(tables: Tables, request: Requests['claim']): Outcomes['claim'] | undefined {
  const { claimKey, workerId, incarnation } = request;
  const attempt = findAttempt(tables, claimKey);
  if (!attempt) return undefined;
  const own = attempt.workerId === workerId && attempt.incarnation === incarnation;
  const row = findTaskById(tables, attempt.taskId);
  if (!own || !isLive(attempt.state) || !row) return { type: 'refused', reason: 'claimKeyUsed', state: attempt.state };
  const { seq, ...task } = row;
  return claimedOutcome(task, attempt, attemptBefore(tables, seq, attempt.epoch));
}

function whyRefused(tables: Tables, { state, attemptId, pausedUntil }: Gate): ClaimRefusal | undefined {
  if (state !== 'live') return { reason: state };
  const held = attemptId === null ? undefined : findAttempt(tables, attemptId);
  if (held) return { reason: 'holding', lease: leaseOfAttempt(held) };
  if (pausedUntil !== null && pausedUntil > tables.now) return { reason: 'accountPaused', untilAt: pausedUntil };
  return undefined;
}

function claimNamed(tables: Tables, request: Requests['claim'], taskId: string): Outcomes['claim'] {
  const task = findTaskById(tables, taskId);
  if (!task) return { type: 'refused', reason: 'unknownTask' };
  const { status } = task;
  if (status !== 'ready') return { type: 'refused', reason: 'taskNotReady', status };
  if (!isQueuePaused(tables, task.queue) && !isKeptBack(tables, task)) return takeTask(tables, request, task);
  return { type: 'empty', ...readinessOf(tables, task.queue, undefined) };
}

/** Idle workers claim often; a claim that finds nothing writes a heartbeat only this often. */
const QUIET_MS = 10_000;

function showAlive(tables: Tables, { suspectAt, heartbeatAt }: Gate, workerId: string): void {
  if (suspectAt === null && tables.now - heartbeatAt < QUIET_MS) return;
  tables.run('UPDATE workers SET heartbeat_at = ?, suspect_at = NULL WHERE id = ?', tables.now, workerId);
  if (suspectAt !== null) recordEvent(tables, 'worker.recovered', { workerId }, { suspectAt: null });
}

const TAKE = `UPDATE tasks SET state = 'claimed', epoch = ?, attempt_id = ?, updated_at = ?, ${NAME_LAST_EVENT}
  WHERE seq = ?`;

const INSERT_ATTEMPT = `INSERT INTO attempts (place, task_seq, epoch, id, worker_id, incarnation, state, claimed_at,
  offered_at, offer_until, started_at, deadline_at) VALUES (${PLACE}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const HOLD = `UPDATE workers SET attempt_id = ?, last_claimed_at = ?, heartbeat_at = ?, suspect_at = NULL WHERE id = ?`;

/** Gives a queued task to this worker: a new epoch, a new attempt. */
function takeTask(tables: Tables, request: Requests['claim'], before: Pick<TaskRow, 'seq' | 'epoch'>): Claimed {
  const { now } = tables;
  const { claimKey, workerId, incarnation, offerMs } = request;
  const { seq } = before;
  const epoch = before.epoch + 1;
  const state = offerMs === undefined ? 'active' : 'offered';
  const kind = state === 'offered' ? 'task.offered' : 'task.claimed';
  const subject = { taskSeq: seq, attemptId: claimKey, workerId, epoch };
  insertEvent(tables, kind, subject, { state: 'claimed', attemptState: state });
  tables.run(TAKE, epoch, claimKey, now, seq);
  // not returned by the change: SQLite would create a table for that, each time
  const task = taskBySeq(tables, seq);
  const attempt = newAttempt(task, request, { now, limitMs: timeLimit(tables, seq, task) });
  const { offeredAt, offerUntil, startedAt, deadlineAt } = attempt;
  const times = [offeredAt, offerUntil, startedAt, deadlineAt];
  tables.run(INSERT_ATTEMPT, seq, epoch, seq, epoch, claimKey, workerId, incarnation, state, now, ...times);
  tables.run(HOLD, claimKey, now, now, workerId);
  return claimedOutcome(task, attempt, attemptBefore(tables, seq, epoch));
}
