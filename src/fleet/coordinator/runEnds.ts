import type { Launch } from '../../store/types.ts';
import { RUN_ENDINGS, type RunEnd, type RunEnding } from '../decisions/restartBudget.ts';

/** Reasons recorded when another process reclaims a dead worker's task. */
const LOSSES: ReadonlySet<string> = new Set(['exited', 'lapsed', 'lost', 'its process is gone']);

/** Ended launches by slot, in the order of `launches` (newest first). */
export function runEnds(
  launches: readonly Launch[],
  madeProgress: (slot: string, incarnation: number) => boolean | undefined,
): ReadonlyMap<string, readonly RunEnd[]> {
  const ended = launches.flatMap(({ slot, incarnation, requestedAt, startedAt, endedAt, result }) => {
    if (endedAt === null) return [];
    // runs from before this coordinator started get the benefit of the doubt
    const isProgress = madeProgress(slot, incarnation) ?? true;
    const ending = endingOf(result ?? '');
    return [{ slot, startedAt: startedAt ?? requestedAt, endedAt, ending, madeProgress: isProgress }];
  });
  return Map.groupBy(ended, ({ slot }) => slot);
}

/** A worker that recorded a reason of its own was not lost. */
export function endingOf(result: string): RunEnding {
  const known = RUN_ENDINGS.find((ending) => ending === result);
  if (known) return known;
  // the text of `approveReason`
  if (/^No task arrived\b/.test(result)) return 'idle';
  if (/\bdrained\b/.test(result)) return 'drained';
  return LOSSES.has(result) ? 'crashed' : 'clean';
}
