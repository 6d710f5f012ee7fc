import { formatAgo, formatDuration } from '../../../system/formatDuration.ts';
import { UserError } from '../../../system/userError.ts';
import { available, type PrunePolicy, type Store } from '../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../wiring/store/openTaskStore.ts';
import { printAnswer, type TaskWorld } from '../../wiring/store/taskWorld.ts';
import { durationMs } from '../task/readFlags.ts';
import type { CommonOptions, Flags } from '../task/taskOptions.ts';

type PolicyOptions = CommonOptions & Flags<'keepDone', 'dead' | 'off'>;

/** `stopgate store policy`. */
export async function runStorePolicy(options: PolicyOptions, world: TaskWorld): Promise<number> {
  const { keepDone, dead = false, off = false } = options;
  if (off && keepDone !== undefined) throw new UserError('--off and --keep-done exclude each other; give one.');
  if (dead && keepDone === undefined) throw new UserError('--dead needs --keep-done.');
  const keepDoneMs = durationMs('--keep-done', keepDone, '12h or 30d') ?? null;
  if (keepDoneMs !== null && keepDoneMs <= 0) throw new UserError(`--keep-done must be above 0, got "${keepDone}".`);
  await using store = await openTaskStore(options.store, world);
  if (off || keepDoneMs !== null) available(await store.setPolicy({ keepDoneMs, dead, actor: world.actor }));
  const policy = await policyOf(store);
  return printAnswer(world, options, { outcome: policy, sentence: describePolicy(policy, policy.now) });
}

export async function policyOf(store: Store) {
  const { type: _type, ...policy } = available(await store.policy());
  return policy;
}

export function describePolicy({ keepDoneMs, dead, lastRunAt }: PrunePolicy, now: number): string {
  if (keepDoneMs === null) return 'Nothing is removed automatically.';
  const what = dead ? 'done, cancelled or dead' : 'done or cancelled';
  const last = lastRunAt === null ? 'not applied yet' : `last applied ${formatAgo(lastRunAt, now)}`;
  return `Tasks that are ${what} are removed ${formatDuration(keepDoneMs)} after their end; ${last}.`;
}
