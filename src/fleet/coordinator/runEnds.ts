import type { Launch } from '../../store/types.ts';
import type { RunEnd, RunEnding } from '../decisions/restartBudget.ts';

/** The longest window of any restart policy, plus the pause that follows it. */
export const LAUNCHES_WITHIN_MS = 60 * 60_000;

const ENDINGS: ReadonlySet<string> = new Set<RunEnding>([
  'idle',
  'drained',
  'rateLimited',
  'clean',
  'crashed',
  'launchFailed',
]);
/** Reasons recorded when another process reclaims a dead worker's task. */
const LOSSES: ReadonlySet<string> = new Set(['exited', 'lapsed', 'lost', 'its process is gone']);

/** Ended launches by slot, in the order of `launches` (newest first). */
export function runEnds(
  launches: readonly Launch[],
  madeProgress: (slot: string, incarnation: number) => boolean | undefined,
): ReadonlyMap<string, readonly RunEnd[]> {
  const ends = new Map<string, RunEnd[]>();
  for (const { slot, incarnation, requestedAt, startedAt, endedAt, result } of launches) {
    if (endedAt === null) continue;
    const end: RunEnd = {
      startedAt: startedAt ?? requestedAt,
      endedAt,
      ending: endingOf(result ?? ''),
      // runs from before this coordinator started get the benefit of the doubt
      madeProgress: madeProgress(slot, incarnation) ?? true,
    };
    const before = ends.get(slot);
    if (before) before.push(end);
    else ends.set(slot, [end]);
  }
  return ends;
}

/** A worker that recorded a reason of its own was not lost. */
export function endingOf(result: string): RunEnding {
  if (ENDINGS.has(result)) return result as RunEnding;
  // the text of `approveReason`
  if (/^No task arrived\b/.test(result)) return 'idle';
  if (/\bdrained\b/.test(result)) return 'drained';
  return LOSSES.has(result) ? 'crashed' : 'clean';
}
