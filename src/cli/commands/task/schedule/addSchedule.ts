import { whyNoZone } from '../../../../fleet/decisions/zonedTime.ts';
import { parseCron } from '../../../../fleet/schedule/cron.ts';
import { nextDueTime } from '../../../../fleet/schedule/dueTimes.ts';
import { newTaskId, planBatch } from '../../../../store/planBatch.ts';
import { formatSeconds } from '../../../../system/formatDuration.ts';
import { UserError } from '../../../../system/userError.ts';
import { available, type NewTask, type Store, storeTime } from '../../../wiring/store/openedStore.ts';
import { printAnswer, type TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { durationMs } from '../readFlags.ts';
import type { Flags } from '../taskOptions.ts';

export type ScheduleOptions = Flags<'cron' | 'every' | 'timezone', 'overlap'>;

interface Times {
  readonly cron: string | null;
  readonly everyMs: number | null;
  readonly timezone: string | null;
}

const SHORTEST_MS = 10_000;

/** Null when the task is to be added once. */
export function timesOf({ cron, every, timezone, overlap }: ScheduleOptions): Times | null {
  if (cron === undefined && every === undefined) {
    const flag = timezone !== undefined ? '--timezone' : overlap ? '--overlap' : undefined;
    if (flag !== undefined) throw new UserError(`${flag} needs --cron or --every.`);
    return null;
  }
  if (cron !== undefined && every !== undefined)
    throw new UserError('--cron and --every exclude each other; give one.');
  if (every !== undefined && timezone !== undefined) throw new UserError('--timezone is for --cron; remove it.');
  if (cron === undefined) return { cron: null, everyMs: intervalOf(every), timezone: null };
  const parsed = parseCron(cron);
  if (parsed.type === 'bad') throw new UserError(`--cron: ${parsed.problem}.`);
  const noZone = timezone === undefined ? undefined : whyNoZone(timezone);
  if (noZone !== undefined) throw new UserError(`--timezone: ${noZone}.`);
  return { cron: cron.trim(), everyMs: null, timezone: timezone ?? null };
}

function intervalOf(every: string | undefined): number | null {
  const ms = durationMs('--every', every, '30m, 6h or 1d');
  if (ms !== undefined && ms < SHORTEST_MS) throw new UserError(`--every must be at least 10s, got "${every}".`);
  return ms ?? null;
}

/** What only makes sense for one task. */
const ONCE = ['delayMs', 'runAt', 'dedupeKey', 'id'] as const;
const FLAGS = { delayMs: '--delay', runAt: '--at', dedupeKey: '--key', id: 'an id' } as const;

/** `stopgate task add --cron|--every`: adds a schedule, and no task yet. */
export async function addSchedule(
  store: Store,
  task: NewTask,
  { options, times, world }: { options: ScheduleOptions & { json?: boolean }; times: Times; world: TaskWorld },
): Promise<number> {
  const wrong = ONCE.find((name) => task[name] !== undefined);
  if (wrong !== undefined) throw new UserError(`${FLAGS[wrong]} does not work with --cron or --every; remove it.`);
  if ((task.dependsOn?.length ?? 0) > 0)
    throw new UserError('--after does not work with --cron or --every; remove it.');
  const plan = planBatch([task]);
  if (plan.type === 'refused') throw new UserError(`The schedule was not added: ${plan.reason}`);
  const [planned] = plan.tasks;
  if (planned === undefined) throw new Error('A plan of one task has none');
  const now = await storeTime(store);
  const nextDueAt = nextDueTime({ ...times, nextDueAt: now + (times.everyMs ?? 0) }, now);
  if (nextDueAt === null) throw new UserError(`--cron: "${times.cron}" is never due.`);
  const id = newTaskId();
  const overlap = options.overlap === true;
  available(await store.addSchedule({ id, ...times, overlap, nextDueAt, task: planned, actor: world.actor }));
  const first = `${new Date(nextDueAt).toISOString().slice(0, 16)}Z, in ${formatSeconds(nextDueAt - now)}`;
  const sentence = `${id}\nFirst due at ${first}. Workers and coordinators of this store add its tasks.`;
  return printAnswer(world, options, { outcome: { schedule: id, nextDueAt, ...times, overlap }, sentence });
}
