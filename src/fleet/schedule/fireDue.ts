import { createHash } from 'node:crypto';
import { ID_DIGITS } from '../../store/planBatch.ts';
import type { Schedule, Store, Unavailable } from '../../store/types.ts';
import { formatSeconds } from '../../system/formatDuration.ts';
import { passedTimes } from './dueTimes.ts';

/** How long until the next due time, by the store's clock; null without one. */
interface Fired {
  readonly type: 'fired';
  readonly nextInMs: number | null;
}

/**
 * Adds the tasks of all schedules that are due. Any number of processes may call this: the store gives each due time to one of
 * them. One that dies before its call leaves the due time to the next. `actor` is the process that fires, for the record.
 */
export async function fireDue(
  store: Pick<Store, 'schedules' | 'fireSchedule'>,
  actor: string,
  report: (sentence: string) => void,
): Promise<Fired | Unavailable> {
  const due = await store.schedules({ dueOnly: true });
  if (due.type === 'unavailable') return due;
  let hasFired = false;
  for (const schedule of due.schedules) {
    const times = passedTimes(schedule, due.now);
    if (times === null) {
      report(`schedule ${schedule.id} cannot be read by this version: ${schedule.cron ?? ''}`);
      continue;
    }
    const request = { id: schedule.id, dueAt: schedule.nextDueAt, ...times, taskId: taskIdOf(schedule, times), actor };
    const outcome = await store.fireSchedule(request);
    if (outcome.type === 'unavailable') return outcome;
    hasFired = true;
    const late = latenessText(times.missed, due.now - times.latestDueAt);
    if (outcome.type === 'fired') report(`schedule ${schedule.id} added task ${outcome.taskId}${late}`);
    if (outcome.type === 'skipped')
      report(`schedule ${schedule.id} was skipped: its task ${outcome.unfinishedId} has not ended${late}`);
  }
  const next = hasFired ? await store.schedules({ dueOnly: true }) : due;
  if (next.type === 'unavailable') return next;
  return { type: 'fired', nextInMs: next.nextDueAt === null ? null : Math.max(0, next.nextDueAt - next.now) };
}

const LATE_MS = 60_000;

function latenessText(missed: number, lateMs: number): string {
  const parts = [
    lateMs >= LATE_MS && `${formatSeconds(lateMs)} late`,
    missed > 0 && `it stands for ${missed} earlier due time${missed === 1 ? '' : 's'} that passed without a worker`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

/** As random ids are, so that a short prefix names it; the same for each process that fires a due time. */
function taskIdOf({ id, createdAt }: Schedule, { latestDueAt }: { readonly latestDueAt: number }): string {
  const digest = createHash('sha256').update(`${id}\0${createdAt}\0${latestDueAt}`).digest();
  return [...digest.subarray(0, 16)].map((byte) => ID_DIGITS[byte % ID_DIGITS.length]).join('');
}
