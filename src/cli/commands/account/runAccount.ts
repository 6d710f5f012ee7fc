import type { Account } from '../../../store/types.ts';
import { formatSeconds } from '../../../system/formatDuration.ts';
import { UserError } from '../../../system/userError.ts';
import { available } from '../../wiring/store/openedStore.ts';
import { openTaskStore, openTaskStoreToRead } from '../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../wiring/store/taskExit.ts';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';
import { durationMs } from '../task/readFlags.ts';
import type { CommonOptions } from '../task/taskOptions.ts';

export interface PauseOptions extends CommonOptions {
  readonly for: string;
}

/** `stopgate account list`. */
export async function runAccountList(options: CommonOptions, world: TaskWorld): Promise<number> {
  await using store = await openTaskStoreToRead(options.store, world);
  const { accounts, now } = available(await store.accounts());
  if (options.json) world.print(`${JSON.stringify({ now, accounts })}\n`);
  else if (accounts.length === 0) world.print('No account has ever been paused.\n');
  else for (const account of accounts) world.print(`${describeAccount(account, now)}\n`);
  return TASK_EXIT.done;
}

/** `stopgate account pause`. */
export async function runAccountPause(name: string, options: PauseOptions, world: TaskWorld): Promise<number> {
  const ms = durationMs('--for', options.for);
  await using store = await openTaskStore(options.store, world);
  const source = `paused by ${world.env.USER || 'the command line'}`;
  const { untilAt } = available(await store.pauseAccount({ key: named(name), until: { ms }, source }));
  const { now } = available(await store.about());
  if (options.json) world.print(`${JSON.stringify({ key: name, pausedUntil: untilAt })}\n`);
  // a longer pause stays as it is
  else world.print(`${describeAccount({ key: name, pausedUntil: untilAt, source: null }, now)}\n`);
  return TASK_EXIT.done;
}

/** `stopgate account resume`. */
export async function runAccountResume(name: string, options: CommonOptions, world: TaskWorld): Promise<number> {
  await using store = await openTaskStore(options.store, world);
  const { type } = available(await store.resumeAccount({ key: named(name) }));
  if (options.json) world.print(`${JSON.stringify({ key: name, type })}\n`);
  else world.print(type === 'resumed' ? `${name} is resumed.\n` : `${name} was not paused.\n`);
  return TASK_EXIT.done;
}

function named(name: string): string {
  if (name.trim() !== '') return name;
  throw new UserError('The account has no name; `stopgate account list` shows the known accounts.');
}

function describeAccount({ key, pausedUntil, source }: Account, now: number): string {
  if (pausedUntil === null) return `${key} is in use`;
  const until = new Date(pausedUntil);
  const time = until.toTimeString().slice(0, 5);
  const day = until.toDateString() === new Date(now).toDateString() ? '' : `${until.toDateString().slice(0, 10)} `;
  return `${key} is paused until ${day}${time} (${formatSeconds(pausedUntil - now)})${source === null ? '' : `: ${source}`}`;
}
