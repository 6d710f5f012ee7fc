import { retryDelayMs } from '../../retryDelay.ts';
import type { HeldTask } from '../attemptRows.ts';
import type { Tables } from '../tables.ts';
import { failDependants } from './settleDependants.ts';

/** What an attempt that did not succeed counts as; each kind has its own bound, and the bound ends the task. */
export type Counted = 'failures' | 'reclaims' | 'releases';

export interface PutBack {
  readonly counted: Counted;
  /** When it may be claimed again, should it go back. */
  readonly runAt: number;
  readonly error?: string | null;
  readonly final?: boolean;
}

export interface PutBackResult {
  readonly state: 'queued' | 'dead';
  readonly runAt: number;
  readonly count: number;
}

const LIMITS = { failures: 'maxFailures', reclaims: 'maxReclaims', releases: 'maxReleases' } as const;

/** Back into the queue, or to the dead ones when that was once too often. */
export function putBack(tables: Tables, held: HeldTask, { counted, runAt, error, final }: PutBack): PutBackResult {
  const count = held[counted] + 1;
  const state = final || count >= held[LIMITS[counted]] ? 'dead' : 'queued';
  tables.run(
    `UPDATE tasks SET state = ?, run_at = ?, ${counted} = ?, last_error = coalesce(?, last_error), verify_holder = NULL,
      verify_until = NULL, updated_at = ? WHERE seq = ? AND epoch = ?`,
    state,
    runAt,
    count,
    error ?? null,
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
