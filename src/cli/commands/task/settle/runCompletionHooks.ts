import { executeTaskCompletedHooks } from '../../../../hooks/executeEvents.ts';
import { returnValueOf } from '../../../../system/returnValueOf.ts';
import { thisWorld } from '../../../../system/world.ts';
import { openHooksAlone } from '../../../wiring/openHooksAlone.ts';
import { DEFAULT_FLAGS } from '../../../wiring/promptFlags.ts';
import type { TaskDetail } from '../../../wiring/store/openedStore.ts';
import type { WaitingWorld } from '../../../wiring/store/taskWorld.ts';

const event = 'TaskCompleted';

type CompletedTask = Pick<TaskDetail, 'id' | 'title' | 'body'>;

/** Runs the TaskCompleted hooks of the settings; returns why they keep the task open, or null. */
export async function runCompletionHooks(task: CompletedTask, { warn, signal }: WaitingWorld): Promise<string | null> {
  await using open = await openHooksAlone(DEFAULT_FLAGS, thisWorld(), {
    event,
    signal,
    onEnd: ({ hook, outcome }) => {
      if (outcome.type === 'failed') warn(`The TaskCompleted hook ${hook.label} failed and was ignored.`);
    },
  });
  for (const { hook, reason } of open.gathered.hooks.skipped) {
    if (hook.event === event) warn(`Hook not run: TaskCompleted ${hook.label} (${hook.file}): ${reason}.`);
  }
  if (!open.runner.has(event)) return null;
  const input = { task_id: task.id, task_subject: task.title, task_description: task.body };
  const running = executeTaskCompletedHooks(input, { runner: open.runner, subject: open.subject, signal });
  const { blocks, prevented } = await returnValueOf(running);
  await open.background.drain(0);
  const reasons = [...blocks, ...(prevented === null ? [] : [prevented])];
  return reasons.length === 0 ? null : reasons.join('\n');
}
