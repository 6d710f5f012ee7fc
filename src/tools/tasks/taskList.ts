import * as z from 'zod';
import type { Task } from '../../session/taskList.ts';
import { defineTool } from '../tool.ts';
import { taskCall } from './taskCall.ts';

/** Lists only open tasks as blockers. */
function describe(task: Task, open: ReadonlySet<string>): string {
  const waitsFor = task.blockedBy.filter((id) => open.has(id)).map((id) => `#${id}`);
  const owner = task.owner ? ` (${task.owner})` : '';
  const waits = waitsFor.length > 0 ? ` [blocked by ${waitsFor.join(', ')}]` : '';
  return `#${task.id} [${task.status}] ${task.subject}${owner}${waits}`;
}

export const taskListTool = defineTool({
  name: 'TaskList',
  description: 'Lists all tasks with their status, owner and open blockers. TaskGet shows one in full.',
  inputSchema: z.lazy(() => z.strictObject({})),
  isReadOnly: () => true,
  permission: () => ({ type: 'free' }),
  summary: () => 'tasks',
  call: taskCall(async (_input: object, context) => {
    const tasks = await context.tasks.list();
    const open = new Set(tasks.filter((task) => task.status !== 'completed').map((task) => task.id));
    const short = tasks.map(({ id, subject, status, owner, blockedBy }) => ({
      id,
      subject,
      status,
      ...(owner === undefined ? {} : { owner }),
      blockedBy: blockedBy.filter((other) => open.has(other)),
    }));
    const lines = tasks.map((task) => describe(task, open));
    return { type: 'done', output: { tasks: short }, content: lines.join('\n') || 'There are no tasks.' };
  }),
});
