import type { TaskFacts } from '../../tools/toolContext.ts';
import { runHooks } from '../runHooks.ts';
import type { ToolUseContext } from '../toolUseContext.ts';
import type { Turn } from '../turn.ts';

/** The gate before a task is created or completed: null to go on, or what the model is told instead. */
export async function askTaskHooks(
  turn: Turn,
  context: ToolUseContext,
  event: 'TaskCreated' | 'TaskCompleted',
  task: TaskFacts,
): Promise<string | null> {
  const running = runHooks(turn, {
    event,
    context,
    input: () => ({ task_id: task.id, task_subject: task.subject, task_description: task.description }),
  });
  // What the hooks show while they run is in the transcript already; a tool call has its own progress to tell.
  let step = await running.next();
  while (!step.done) step = await running.next();
  const { blocks } = step.value;
  return blocks.length === 0 ? null : blocks.join('\n');
}
