import { printResult } from '../../../output/printResult.ts';
import { available } from '../../../wiring/store/openedStore.ts';
import { openTaskStoreToRead } from '../../../wiring/store/openTaskStore.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { findTask } from '../findTask.ts';
import type { CommonOptions } from '../taskOptions.ts';
import { showText } from './showText.ts';

/** `stopgate task show`: all that is known about one task. */
export async function runShow(id: string, options: CommonOptions, world: TaskWorld): Promise<number> {
  await using store = await openTaskStoreToRead(options.store, world);
  const task = await findTask(store, id);
  const { attempts } = available(await store.attempts({ taskId: task.id }));
  const { events } = available(await store.events({ taskId: task.id, limit: 10_000 }));
  const { now } = available(await store.about());
  const { queuePaused } = available(await store.readiness({ queue: task.queue }));
  const view = { task, attempts, events, now, queuePaused };
  const json = options.json ? { ...view, task: { ...task, starts: task.epoch } } : null;
  return printResult(json, world, (page) => showText(view, page));
}
