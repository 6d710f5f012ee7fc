import { nextDueTime } from '../../../../fleet/schedule/dueTimes.ts';
import { formatAgo, formatDuration, formatSeconds } from '../../../../system/formatDuration.ts';
import { UserError } from '../../../../system/userError.ts';
import { printResult } from '../../../output/printResult.ts';
import { type Column, columnsText } from '../../../output/table.ts';
import { available, type Schedule, type Store } from '../../../wiring/store/openedStore.ts';
import { openTaskStore, openTaskStoreToShow } from '../../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import { printAnswer, type TaskWorld } from '../../../wiring/store/taskWorld.ts';
import type { CommonOptions } from '../taskOptions.ts';

/** `stopgate task schedules`. */
export async function runScheduleList(options: CommonOptions, world: TaskWorld): Promise<number> {
  await using store = await openTaskStoreToShow(options.store, world);
  const { now, schedules } = available(await store.schedules());
  const nothing = 'There are no recurring tasks; `stopgate task add --cron` or `--every` adds one.\n';
  return printResult(options.json ? { now, schedules } : null, world, (page, isTerminal) =>
    schedules.length === 0 ? nothing : `${columnsText(page, columnsAt(now, isTerminal), schedules)}\n`,
  );
}

const SHORT_ID = 8;

const columnsAt = (now: number, isTerminal: boolean): readonly Column<Schedule>[] => [
  { title: 'SCHEDULE', cell: ({ id }) => ({ text: isTerminal ? id.slice(0, SHORT_ID) : id }) },
  { title: 'WHEN', cell: (schedule) => ({ text: describeTimes(schedule) }) },
  { title: 'NEXT', cell: (schedule) => nextCell(schedule, now) },
  { title: 'LAST', cell: ({ lastDueAt }) => ({ text: lastDueAt === null ? '' : formatAgo(lastDueAt, now) }) },
  { title: 'ADDED', cell: ({ fired }) => ({ text: String(fired) }) },
  { title: 'SKIPPED', isSpare: true, cell: ({ skipped }) => ({ text: skipped === 0 ? '' : String(skipped) }) },
  { title: 'MISSED', isSpare: true, cell: ({ missed }) => ({ text: missed === 0 ? '' : String(missed) }) },
  { title: 'TITLE', cell: ({ task }) => ({ text: task.title }) },
];

function nextCell({ pausedAt, nextDueAt }: Schedule, now: number) {
  if (pausedAt !== null) return { text: 'paused', style: 'yellow' as const };
  // no worker and no coordinator of this store runs
  if (nextDueAt <= now) return { text: `due for ${formatSeconds(now - nextDueAt)}`, style: 'yellow' as const };
  return { text: `in ${formatSeconds(nextDueAt - now)}` };
}

export function describeTimes({ cron, everyMs, timezone }: Pick<Schedule, 'cron' | 'everyMs' | 'timezone'>): string {
  return everyMs === null ? `${cron} ${timezone ?? 'UTC'}` : `every ${formatDuration(everyMs)}`;
}

const WORDS = {
  pause: { done: 'is paused', already: 'is already paused' },
  resume: { done: 'is resumed', already: 'is not paused' },
  remove: { done: 'is removed', already: 'is removed' },
} as const;

/** `stopgate task schedules pause|resume|remove`. */
export const runScheduleChange =
  (change: keyof typeof WORDS) =>
  async (ids: readonly string[], options: CommonOptions, world: TaskWorld): Promise<number> => {
    await using store = await openTaskStore(options.store, world);
    const found: { schedule: Schedule; now: number }[] = [];
    for (const given of ids) found.push(await findSchedule(store, given));
    for (const { schedule, now } of found) {
      const { id } = schedule;
      const nextDueAt = change === 'resume' ? (nextDueTime(schedule, now) ?? schedule.nextDueAt) : undefined;
      const outcome = available(
        await store.changeSchedule({ id, change, ...(nextDueAt !== undefined && { nextDueAt }), actor: world.actor }),
      );
      const { done, already } = WORDS[change];
      const next =
        nextDueAt === undefined || outcome.type !== 'changed' ? '' : `, next due in ${formatSeconds(nextDueAt - now)}`;
      const sentence = `Schedule ${id} ${outcome.type === 'unchanged' ? already : done}${next}.`;
      printAnswer(world, options, { outcome: { id, ...outcome }, sentence });
    }
    return TASK_EXIT.done;
  };

async function findSchedule(store: Store, given: string): Promise<{ schedule: Schedule; now: number }> {
  const { now, schedules } = available(await store.schedules());
  const found = schedules.filter(({ id }) => id === given || (given.length >= 4 && id.startsWith(given)));
  const exact = found.find(({ id }) => id === given) ?? found[0];
  if (exact === undefined)
    throw new UserError(`There is no schedule ${given}; \`stopgate task schedules\` lists them.`, TASK_EXIT.refused);
  if (found.length > 1 && exact.id !== given)
    throw new UserError(`Several schedules begin with ${given}: ${found.map(({ id }) => id).join(', ')}.`);
  return { schedule: exact, now };
}
