import type { Launch } from '../../store/types.ts';
import type { RunEnd, RunEnding } from '../decisions/restartBudget.ts';

/** As far back as any restart policy looks, and the rest it prescribes. */
export const LAUNCHES_WITHIN_MS = 60 * 60_000;

const ENDINGS: ReadonlySet<string> = new Set<RunEnding>([
  'idle',
  'drained',
  'rateLimited',
  'clean',
  'crashed',
  'launchFailed',
]);
/** What others who take a dead worker's task back say of it. */
const LOSSES: ReadonlySet<string> = new Set(['exited', 'lapsed', 'lost', 'its process is gone']);

/** The ends of the starts of some slots, by slot, newest first as they come. */
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
      // of what ran before we watched nothing bad is assumed
      madeProgress: madeProgress(slot, incarnation) ?? true,
    };
    const before = ends.get(slot);
    if (before) before.push(end);
    else ends.set(slot, [end]);
  }
  return ends;
}

/** A worker that said goodbye in words of its own was not lost. */
export function endingOf(result: string): RunEnding {
  if (ENDINGS.has(result)) return result as RunEnding;
  // as `approveWords` has it
  if (/^No task came\b/.test(result)) return 'idle';
  if (/\bdrained\b/.test(result)) return 'drained';
  return LOSSES.has(result) ? 'crashed' : 'clean';
}
