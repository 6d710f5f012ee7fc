import * as z from 'zod';
import type { Task, TaskList } from '../../session/taskList.ts';
import { definedOnly } from '../../system/definedOnly.ts';
import { defineTool, type ToolOutcome } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { taskCall } from './taskCall.ts';

const inputSchema = z.lazy(() =>
  z.strictObject({
    taskId: z.string().describe('The id of the task.'),
    status: z.enum(['pending', 'in_progress', 'completed', 'deleted']).optional().describe('Its new status.'),
    subject: z.string().min(1).optional().describe('A new short text.'),
    description: z.string().optional().describe('New details.'),
    activeForm: z.string().optional().describe('Shown while it is in progress.'),
    owner: z.string().optional().describe('Who works on it.'),
    addBlocks: z.array(z.string()).optional().describe('Ids of tasks that cannot start before this one is done.'),
    addBlockedBy: z.array(z.string()).optional().describe('Ids of tasks that must be done before this one can start.'),
  }),
);

type Input = z.output<typeof inputSchema>;

const description = `Changes a task: its status, texts, owner, or dependencies.

Set in_progress when you start, completed only when the work is really done and checked, deleted when it is no
longer needed. If completion is refused, the result states what is missing, and the task stays open.`;

async function update(input: Input, context: ToolContext): Promise<ToolOutcome> {
  const { taskId, addBlocks = [], addBlockedBy = [] } = input;
  const task = await context.tasks.get(taskId);
  if (!task) return { type: 'failed', message: `Task #${taskId} does not exist. TaskList shows all tasks.` };
  if (input.status === 'deleted') {
    await context.tasks.delete(taskId);
    return done(task, ['deleted'], 'deleted');
  }
  const notLinked = await whyNotLinked(taskId, [...addBlocks, ...addBlockedBy], context.tasks);
  if (notLinked !== undefined) return { type: 'failed', message: notLinked };
  const { status, subject: text, description: details, activeForm, owner } = input;
  const changed = definedOnly({ status, subject: text, description: details, activeForm, owner });
  if (input.status === 'completed' && task.status !== 'completed') {
    const { subject, description: whole } = { ...task, ...changed };
    // before anything is written: a refusal leaves the task unchanged
    const refusal = await context.askTaskHooks('TaskCompleted', { id: taskId, subject, description: whole });
    if (refusal !== null) {
      // measured: a gate's refusal is a result, not an error of the call
      const output = { success: false, taskId, updatedFields: [], error: refusal };
      return { type: 'done', output, content: refusal };
    }
  }
  for (const id of addBlocks) await link(taskId, id, context.tasks);
  for (const id of addBlockedBy) await link(id, taskId, context.tasks);
  await context.tasks.update(taskId, changed);
  const links = [...(addBlocks.length > 0 ? ['blocks'] : []), ...(addBlockedBy.length > 0 ? ['blockedBy'] : [])];
  return done(task, [...Object.keys(changed), ...links], input.status);
}

function done(task: Task, updatedFields: readonly string[], status: Input['status']): ToolOutcome {
  const statusChange = status && status !== task.status ? { statusChange: { from: task.status, to: status } } : {};
  const what = status === 'deleted' ? 'deleted' : `updated: ${updatedFields.join(', ') || 'nothing to change'}`;
  return {
    type: 'done',
    output: { success: true, taskId: task.id, updatedFields, ...statusChange },
    content: `Task #${task.id} ${what}`,
  };
}

async function whyNotLinked(taskId: string, others: readonly string[], tasks: TaskList): Promise<string | undefined> {
  for (const id of others) {
    if (id === taskId) return `Task #${taskId} cannot wait for itself.`;
    if (!(await tasks.get(id))) return `Task #${id} does not exist, so it cannot be linked.`;
  }
  return undefined;
}

/** Stores a link in both tasks. */
async function link(first: string, then: string, tasks: TaskList): Promise<void> {
  const [blocker, blocked] = [await tasks.get(first), await tasks.get(then)];
  if (!blocker || !blocked) return;
  await tasks.update(first, { blocks: [...new Set([...blocker.blocks, then])] });
  await tasks.update(then, { blockedBy: [...new Set([...blocked.blockedBy, first])] });
}

export const taskUpdateTool = defineTool({
  name: 'TaskUpdate',
  description,
  inputSchema,
  isReadOnly: () => false,
  permission: () => ({ type: 'free' }),
  summary: (input) => `#${input.taskId}${input.status ? ` ${input.status}` : ''}`,
  call: taskCall(update),
});
