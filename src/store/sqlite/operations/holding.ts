import type { AttemptDetails, AttemptState } from '../../attempt.ts';
import type { LeaseLost, Requeued } from '../../outcomes.ts';
import { tooManyReleases } from '../../releaseCounts.ts';
import type { ReleaseReason, Requests } from '../../requests.ts';
import { retryDelayMs } from '../../retryDelay.ts';
import { type HeldTask, isLive, PLACE } from '../attemptRows.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';
import { overBudget } from './budgets.ts';

export const OFFER_EXPIRED = 'offer_expired';

/** Whether an attempt still holds its task: it has not ended and has the latest epoch. A late worker that was not replaced still does. */
export function isHeld(held: HeldTask): boolean {
  return isLive(held.state) && held.taskState === 'claimed' && held.epoch === held.taskEpoch;
}

/** Given up by another process, but not claimed since: its result still counts. */
export function wasGivenUp(held: HeldTask): boolean {
  return endedByOthers(held) && held.taskState === 'queued' && held.epoch === held.taskEpoch;
}

/** Why an attempt that no longer holds its task cannot be settled. */
export function leaseLost(held: HeldTask | undefined): LeaseLost {
  if (!held) return { type: 'unknownAttempt' };
  if (held.state === 'cancelled') return { type: 'cancelled' };
  if (endedByOthers(held) || isLive(held.state)) {
    return { type: 'superseded', epoch: held.taskEpoch, taskState: held.taskState };
  }
  return { type: 'settled', state: held.state };
}

function endedByOthers({ state, outcome }: HeldTask): boolean {
  return state === 'lost' || state === 'superseded' || outcome === OFFER_EXPIRED;
}

interface AttemptEnd {
  readonly state: AttemptState;
  readonly outcome: string;
  readonly countsAsFailure?: boolean;
  readonly result?: string | null;
  readonly error?: string | null;
  readonly checkpoint?: string | null | undefined;
  readonly details?: AttemptDetails | undefined;
  /** The operation and its answer, if the worker itself ended it: a repeated call returns the same answer. */
  readonly settledBy?: { readonly operation: string; readonly reply: object };
}

const NOTES = `checkpoint = coalesce(?, checkpoint), checkpoint_at = CASE WHEN ? IS NULL THEN checkpoint_at ELSE ? END,
  details = ?`;
const END = `UPDATE attempts SET state = ?, outcome = ?, ended_at = ?, counts_as_failure = ?, result = ?, error = ?,
  ${NOTES}, settled_by = ?, reply = ? WHERE place = ${PLACE}`;

/** Closes an attempt and frees its worker. */
export function endAttempt(tables: Tables, held: HeldTask, end: AttemptEnd): void {
  const { now } = tables;
  const checkpoint = end.checkpoint ?? null;
  tables.run(
    END,
    end.state,
    end.outcome,
    now,
    end.countsAsFailure ? 1 : 0,
    end.result ?? null,
    end.error ?? null,
    checkpoint,
    checkpoint,
    now,
    withDetails(held.details, end.details),
    end.settledBy?.operation ?? null,
    end.settledBy ? JSON.stringify(end.settledBy.reply) : null,
    held.taskSeq,
    held.epoch,
  );
  freeWorker(tables, held, end.settledBy !== undefined);
}

function withDetails(before: string, added: AttemptDetails | undefined): string {
  return added ? JSON.stringify({ ...JSON.parse(before), ...added }) : before;
}

const KEEP_NOTES = `UPDATE attempts SET ${NOTES} WHERE place = ${PLACE}`;

export type Notes = Pick<Requests['heartbeat'], 'checkpoint' | 'details'>;

/** Later notes replace earlier ones. Returns whether there are any. */
export function keepNotes(tables: Tables, held: HeldTask, { checkpoint, details }: Notes): boolean {
  if (checkpoint === undefined && !details) return false;
  const notes = checkpoint ?? null;
  tables.run(KEEP_NOTES, notes, notes, tables.now, withDetails(held.details, details), held.taskSeq, held.epoch);
  return true;
}

const FREE = `UPDATE workers SET attempt_id = NULL, tool_started_at = NULL, last_settled_at = ? WHERE id = ? AND attempt_id = ?`;
const FREE_ALIVE = `UPDATE workers SET attempt_id = NULL, tool_started_at = NULL, last_settled_at = ?, heartbeat_at = ?,
  suspect_at = NULL WHERE id = ? AND attempt_id = ?`;

function freeWorker(tables: Tables, { workerId, attemptId, suspectAt }: HeldTask, itself: boolean): void {
  const { now } = tables;
  if (!itself) {
    tables.run(FREE, now, workerId, attemptId);
    return;
  }
  tables.run(FREE_ALIVE, now, now, workerId, attemptId);
  if (suspectAt !== null) recordEvent(tables, 'worker.recovered', { workerId }, { suspectAt: null });
}

/** The counter of an unsuccessful attempt; each has its own limit, which ends the task. */
export type Counted = 'failures' | 'reclaims' | 'releases';

const COUNTS = ['failures', 'reclaims', 'releases'] as const;

interface PutBack {
  /** Null: does not count and has no limit. */
  readonly counted: Counted | null;
  /** When it may be claimed again, if it goes back. */
  readonly runAt: number;
  readonly error?: string | null;
  readonly final?: boolean;
  /** What the attempt reports about itself now. */
  readonly details?: AttemptDetails | undefined;
  /** Of a release. */
  readonly reason?: ReleaseReason | typeof OFFER_EXPIRED;
}

export interface PutBackResult {
  readonly state: 'queued' | 'dead';
  readonly runAt: number;
  /** The new value of the counter. */
  readonly count: number;
}

const PUT_BACK = `UPDATE tasks SET state = ?, run_at = ?, failures = ?, reclaims = ?, releases = ?,
  last_error = coalesce(?, last_error), verify_holder = NULL, verify_until = NULL, updated_at = ? WHERE seq = ? AND epoch = ?`;

const LIMITS = { failures: 'maxFailures', reclaims: 'maxReclaims', releases: 'maxReleases' } as const;

/** Puts a task back into the queue, or makes it dead when its limit is reached or a budget is used up. */
export function putBack(tables: Tables, held: HeldTask, back: PutBack): PutBackResult {
  const { counted, runAt, error, final, reason = 'released' } = back;
  const count = counted === null ? 0 : held[counted] + 1;
  const isOver = counted !== null && count >= held[LIMITS[counted]];
  const usedUp = overBudget(tables, held, { details: back.details, isLost: counted === 'reclaims' });
  const state = final || isOver || usedUp !== null ? 'dead' : 'queued';
  const ownError = error ?? (isOver && counted === 'releases' ? tooManyReleases(count, reason) : null);
  const lastError = usedUp === null ? ownError : [usedUp, ...(ownError === null ? [] : [ownError])].join('\n');
  const counts = COUNTS.map((name) => (name === counted ? count : held[name]));
  tables.run(PUT_BACK, state, runAt, ...counts, lastError, tables.now, held.taskSeq, held.epoch);
  return { state, runAt, count };
}

export function retryAt(tables: Tables, held: HeldTask, counted: Counted): number {
  return tables.now + retryDelayMs(held.backoffMs, held[counted] + 1, tables.random());
}

export function requeued({ state, runAt }: PutBackResult): Requeued {
  return state === 'dead' ? { type: 'dead' } : { type: 'requeued', runAt };
}
