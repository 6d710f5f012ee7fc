import { tooManyReleases } from '../../releaseCounts.ts';
import { retryDelayMs } from '../../retryDelay.ts';
import type { HeldTask } from '../attemptRows.ts';
import type { Tables } from '../tables.ts';
import { failDependants } from './settleDependants.ts';

/** What an attempt that did not succeed counts as; each kind has its own bound, and the bound ends the task. */
export type Counted = 'failures' | 'reclaims' | 'releases';

const COUNTS = ['failures', 'reclaims', 'releases'] as const;

export interface PutBack {
  /** Null: it counts for nothing, and is not bounded. */
  readonly counted: Counted | null;
  /** When it may be claimed again, should it go back. */
  readonly runAt: number;
  readonly error?: string | null;
  readonly final?: boolean;
}

export interface PutBackResult {
  readonly state: 'queued' | 'dead';
  readonly runAt: number;
  /** How often that happened by now. */
  readonly count: number;
}

const LIMITS = { failures: 'maxFailures', reclaims: 'maxReclaims', releases: 'maxReleases' } as const;

/** Back into the queue, or to the dead ones when that was once too often. */
export function putBack(tables: Tables, held: HeldTask, { counted, runAt, error, final }: PutBack): PutBackResult {
  const count = counted === null ? 0 : held[counted] + 1;
  const isOver = counted !== null && count >= held[LIMITS[counted]];
  const state = final || isOver ? 'dead' : 'queued';
  const lastError = error ?? (isOver && counted === 'releases' ? tooManyReleases(count) : null);
  tables.run(
    `UPDATE tasks SET state = ?, run_at = ?, failures = ?, reclaims = ?, releases = ?, last_error = coalesce(?, last_error),
      verify_holder = NULL, verify_until = NULL, updated_at = ? WHERE seq = ? AND epoch = ?`,
    state,
    runAt,
    ...COUNTS.map((name) => (name === counted ? count : held[name])),
    lastError,
    tables.now,
    held.taskSeq,
    held.epoch,
  );
  return { state, runAt, count };
}

/** Told after the event of the task itself, so that causes come before effects. */
export function endDependants(tables: Tables, held: HeldTask, { state }: PutBackResult): void {
  if (state === 'dead') failDependants(tables, held.taskSeq);
}

export function laterBy(tables: Tables, held: HeldTask, counted: Counted): number {
  return tables.now + retryDelayMs(held.backoffMs, held[counted] + 1, tables.random());
}
