import type { AttemptDetails, AttemptState } from '../../attempt.ts';
import { type HeldTask, PLACE } from '../attemptRows.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';

export interface AttemptEnd {
  readonly state: AttemptState;
  readonly outcome: string;
  readonly countsAsFailure?: boolean;
  readonly result?: string | null;
  readonly error?: string | null;
  readonly checkpoint?: string | null | undefined;
  readonly details?: AttemptDetails | undefined;
  /** The operation and its answer, when the worker itself ended it: asked again, it is given again. */
  readonly settledBy?: { readonly operation: string; readonly reply: object };
}

const END = `UPDATE attempts SET state = ?, outcome = ?, ended_at = ?, counts_as_failure = ?, result = ?, error = ?,
  checkpoint = coalesce(?, checkpoint), checkpoint_at = CASE WHEN ? IS NULL THEN checkpoint_at ELSE ? END,
  details = ?, settled_by = ?, reply = ? WHERE place = ${PLACE}`;

/** Closes an attempt and lets its worker go. */
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
  letWorkerGo(tables, held, end.settledBy !== undefined);
}

export function withDetails(before: string, added: AttemptDetails | undefined): string {
  return added ? JSON.stringify({ ...JSON.parse(before), ...added }) : before;
}

const FREE = `UPDATE workers SET attempt_id = NULL, tool_started_at = NULL, last_settled_at = ? WHERE id = ? AND attempt_id = ?`;
const FREE_ALIVE = `UPDATE workers SET attempt_id = NULL, tool_started_at = NULL, last_settled_at = ?, heartbeat_at = ?,
  suspect_at = NULL WHERE id = ? AND attempt_id = ?`;

function letWorkerGo(tables: Tables, { workerId, attemptId, suspectAt }: HeldTask, itself: boolean): void {
  const { now } = tables;
  if (!itself) {
    tables.run(FREE, now, workerId, attemptId);
    return;
  }
  tables.run(FREE_ALIVE, now, now, workerId, attemptId);
  if (suspectAt !== null) recordEvent(tables, 'worker.recovered', { workerId }, { suspectAt: null });
}
