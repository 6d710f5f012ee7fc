import { formatSeconds } from '../../../system/formatDuration.ts';
import { UserError } from '../../../system/userError.ts';
import { type Account, available, storeTime } from '../../wiring/store/openedStore.ts';
import { openTaskStore, openTaskStoreToShow } from '../../wiring/store/openTaskStore.ts';
import { printAnswer, type TaskWorld } from '../../wiring/store/taskWorld.ts';
import { durationMs } from '../task/readFlags.ts';
import type { CommonOptions, Flags } from '../task/taskOptions.ts';

type PauseOptions = CommonOptions & Required<Flags<'for'>>;

/** `stopgate account list`. */
export async function runAccountList(options: CommonOptions, world: TaskWorld): Promise<number> {
  await using store = await openTaskStoreToShow(options.store, world);
  const { accounts, now } = available(await store.accounts());
  const lines = accounts.map((account) => describeAccount(account, now));
  const sentence = lines.join('\n') || 'No account has ever been paused.';
  return printAnswer(world, options, { outcome: { now, accounts }, sentence });
}

/** `stopgate account pause`. */
export async function runAccountPause(name: string, options: PauseOptions, world: TaskWorld): Promise<number> {
  const ms = durationMs('--for', options.for);
  await using store = await openTaskStore(options.store, world);
  const source = `paused by ${world.env.USER || 'the command line'}`;
  const { untilAt } = available(await store.pauseAccount({ key: named(name), until: { ms }, source }));
  // a longer pause stays as it is
  const sentence = describeAccount({ key: name, pausedUntil: untilAt, source: null }, await storeTime(store));
  return printAnswer(world, options, { outcome: { key: name, pausedUntil: untilAt }, sentence });
}

/** `stopgate account resume`. */
export async function runAccountResume(name: string, options: CommonOptions, world: TaskWorld): Promise<number> {
  await using store = await openTaskStore(options.store, world);
  const { type } = available(await store.resumeAccount({ key: named(name) }));
  const sentence = `${name} ${type === 'resumed' ? 'is resumed' : 'was not paused'}.`;
  return printAnswer(world, options, { outcome: { key: name, type }, sentence });
}

function named(name: string): string {
  if (name.trim() !== '') return name;
  throw new UserError('The account has no name; `stopgate account list` shows the known accounts.');
}

function describeAccount({ key, pausedUntil, source }: Account, now: number): string {
  if (pausedUntil === null) return `${key} is not paused`;
  const until = new Date(pausedUntil);
  const time = until.toTimeString().slice(0, 5);
  const day = until.toDateString() === new Date(now).toDateString() ? '' : `${until.toDateString().slice(0, 10)} `;
  return `${key} is paused until ${day}${time} (${formatSeconds(pausedUntil - now)})${source === null ? '' : `: ${source}`}`;
}
