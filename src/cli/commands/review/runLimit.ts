import { DEFAULT_QUEUE } from '../../../store/taskDefaults.ts';
import { available, type ReviewLimit } from '../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../wiring/store/openTaskStore.ts';
import { whyEmptyQueue } from '../../wiring/store/queuesWithTasks.ts';
import { printAnswer, type TaskWorld } from '../../wiring/store/taskWorld.ts';
import { wholeNumber } from '../task/readFlags.ts';
import type { CommonOptions, Flags } from '../task/taskOptions.ts';

type LimitOptions = CommonOptions & Flags<'queue'>;

/** `stopgate review limit [n]`. */
export async function runLimit(text: string | undefined, options: LimitOptions, world: TaskWorld): Promise<number> {
  const limit = text === 'none' ? null : wholeNumber('The limit', text, { least: 1, most: 1_000_000 });
  await using store = await openTaskStore(options.store, world);
  if (limit === undefined) {
    const { limits } = available(await store.reviewLimits({ queue: options.queue }));
    const sentence = limits.length === 0 ? 'No queue has a limit.' : limits.map(describe).join('\n');
    return printAnswer(world, options, { outcome: { limits }, sentence });
  }
  const queue = options.queue ?? DEFAULT_QUEUE;
  const empty = await whyEmptyQueue(store, queue);
  if (empty !== null) world.warn(empty);
  const outcome = available(await store.limitReviews({ queue, limit, actor: world.actor }));
  const rule =
    limit === null ? 'has no limit' : `has the limit ${limit}: no task is claimed while that many wait for review`;
  const sentence = `The queue ${queue} ${rule}.`;
  return printAnswer(world, options, { outcome: { queue, limit, ...outcome }, sentence });
}

const describe = ({ queue, limit, waiting }: ReviewLimit) => `${queue}: ${waiting} of ${limit} wait for review`;
