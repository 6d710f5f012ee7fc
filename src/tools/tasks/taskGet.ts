import * as z from 'zod';
import type { Task } from '../../session/taskList.ts';
import { defineTool } from '../tool.ts';
import { taskCall } from './taskCall.ts';

const inputSchema = z.lazy(() => z.strictObject({ taskId: z.string().describe('The id of the task.') }));

function describe(task: Task): string {
  const ids = (list: readonly string[]) => list.map((id) => `#${id}`).join(', ');
  return [
    `Task #${task.id}: ${task.subject}`,
    `Status: ${task.status}`,
    ...(task.owner ? [`Owner: ${task.owner}`] : []),
    ...(task.blockedBy.length > 0 ? [`Blocked by: ${ids(task.blockedBy)}`] : []),
    ...(task.blocks.length > 0 ? [`Blocks: ${ids(task.blocks)}`] : []),
    `Description: ${task.description}`,
  ].join('\n');
}

export const taskGetTool = defineTool({
  name: 'TaskGet',
  description: 'Shows one task in full, with its description and dependencies.',
  inputSchema,
  isReadOnly: () => true,
  permission: () => ({ type: 'free' }),
  summary: (input) => `#${input.taskId}`,
  call: taskCall(async ({ taskId }: z.output<typeof inputSchema>, { tasks }) => {
    const task = await tasks.get(taskId);
    if (!task) return { type: 'failed', message: `Task #${taskId} does not exist. TaskList shows all tasks.` };
    return { type: 'done', output: { task }, content: describe(task) };
  }),
});
