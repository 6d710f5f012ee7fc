import { drained, processWriter } from '../../../../system/writer.ts';
import { pageFor } from '../../../output/page.ts';
import { available } from '../../../wiring/store/openedStore.ts';
import { openTaskStoreToRead } from '../../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
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
  const writer = processWriter(() => process.exit(0));
  const view = { task, attempts, events, now, queuePaused };
  if (options.json) writer.out(`${JSON.stringify({ ...view, task: { ...task, starts: task.epoch } })}\n`);
  else writer.out(showText(view, pageFor(writer, world)));
  await drained();
  return TASK_EXIT.done;
}
