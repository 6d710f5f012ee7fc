import { executeTaskCompletedHooks } from '../../../../hooks/executeEvents.ts';
import { thisWorld } from '../../../../system/world.ts';
import { openHooksAlone } from '../../../wiring/openHooksAlone.ts';
import { DEFAULT_FLAGS } from '../../../wiring/promptFlags.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import type { CompletionGate } from './runSettle.ts';

const EVENT = 'TaskCompleted';

/** Runs the TaskCompleted hooks from the settings before a completion is written. */
export function hookGate({ warn }: TaskWorld, signal: AbortSignal): CompletionGate {
  return async (task) => {
    await using open = await openHooksAlone(DEFAULT_FLAGS, thisWorld(), {
      event: EVENT,
      signal,
      onEnd: ({ hook, outcome }) => {
        if (outcome.type === 'failed') warn(`The TaskCompleted hook ${hook.label} failed and was ignored.`);
      },
    });
    for (const { hook, reason } of open.gathered.hooks.skipped) {
      if (hook.event === EVENT) warn(`Hook not run: TaskCompleted ${hook.label} (${hook.file}): ${reason}.`);
    }
    if (!open.runner.has(EVENT)) return null;
    const input = { task_id: task.id, task_subject: task.title, task_description: task.body };
    const running = executeTaskCompletedHooks(input, { runner: open.runner, subject: open.subject, signal });
    let step = await running.next();
    while (!step.done) step = await running.next();
    const { blocks, prevented } = step.value;
    await open.background.drain(0);
    const reasons = [...blocks, ...(prevented === null ? [] : [prevented])];
    return reasons.length === 0 ? null : reasons.join('\n');
  };
}
