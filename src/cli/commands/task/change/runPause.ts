import { available } from '../../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import type { ChangeOptions } from './runChange.ts';

/** `stopgate task pause|resume [queue]`: whether anything of a queue can be claimed. */
export async function runPause(
  paused: boolean,
  queue: string,
  { options, world }: { readonly options: ChangeOptions; readonly world: TaskWorld },
): Promise<number> {
  await using store = await openTaskStore(options.store, world);
  const request = { queue, reason: options.reason, actor: world.env.USER || 'command line' };
  const outcome = available(await (paused ? store.pauseQueue(request) : store.resumeQueue(request)));
  const already = outcome.type === 'unchanged' ? ' already' : '';
  const state = paused ? 'paused: what is claimed goes on, nothing new is claimed' : 'open';
  if (options.json) world.say(`${JSON.stringify({ queue, ...outcome })}\n`);
  else world.say(`The queue ${queue} is${already} ${state}.\n`);
  return TASK_EXIT.done;
}
