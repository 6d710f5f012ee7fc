import type { EntryOf, LedgerEntry } from '../../schemas/ledger.ts';

/** How a session ended, or where it is. */
export interface SessionOutcome {
  /** `passed`, `blocked`, `completed`, `budget_exhausted`, `expired`, …; `running` without a stop or an end. */
  readonly type: string;
  readonly reason: string;
  /** The gate's last answer, if there is one. */
  readonly stop: EntryOf<'stop'> | undefined;
  readonly end: EntryOf<'end'> | undefined;
}

const WELL_ENDED: ReadonlySet<string> = new Set([
  'completed',
  'finished',
  'command_done',
  'checks_stalled',
  'checks_capped',
]);
export const isWellEnded = (ending: string): boolean => WELL_ENDED.has(ending);

/** A turn that was cut is what happened, whatever its last stop was; otherwise the gate's answer counts. */
export function outcomeOf(entries: readonly LedgerEntry[]): SessionOutcome {
  const stop = entries.findLast((one) => one.type === 'stop');
  const end = entries.findLast((one) => one.type === 'end');
  const run = entries.findLast((one) => one.type === 'run');
  const ofEnd = (one: EntryOf<'end'>) => ({ type: one.ending, reason: one.reason || one.ending, stop, end });
  if (end !== undefined && !isWellEnded(end.ending) && (stop === undefined || end.at >= stop.at)) return ofEnd(end);
  if (run !== undefined && (stop === undefined || run.at >= stop.at)) {
    return { type: run.ending.type, reason: run.ending.reason, stop, end };
  }
  if (stop !== undefined) return { type: stop.ending.type, reason: stop.ending.reason, stop, end };
  return end === undefined ? { type: 'running', reason: 'it has not stopped yet', stop, end } : ofEnd(end);
}
