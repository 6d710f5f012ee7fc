import * as z from 'zod';
import type { Task, TaskList } from '../../session/taskList.ts';
import { defineTool, type ToolOutcome } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { taskCall } from './taskCall.ts';

const inputSchema = z.strictObject({
  taskId: z.string().describe('The id of the task.'),
  status: z.enum(['pending', 'in_progress', 'completed', 'deleted']).optional().describe('Its new status.'),
  subject: z.string().min(1).optional().describe('A new short text.'),
  description: z.string().optional().describe('New details.'),
  activeForm: z.string().optional().describe('Shown while it is in progress.'),
  owner: z.string().optional().describe('Who works on it.'),
  addBlocks: z.array(z.string()).optional().describe('Ids of tasks that cannot start before this one is done.'),
  addBlockedBy: z.array(z.string()).optional().describe('Ids of tasks that must be done before this one can start.'),
});

type Input = z.output<typeof inputSchema>;

interface Output {
  readonly success: boolean;
  readonly taskId: string;
  readonly updatedFields: readonly string[];
  /** Why a gate refused. */
  readonly error?: string;
  readonly statusChange?: { readonly from: string; readonly to: string };
}

const description = `Changes a task: its status, texts, owner, or dependencies.

Set in_progress when you start, completed only when the work is really done and checked, deleted when it is no
longer needed. If completion is refused, the result states what is missing, and the task stays open.`;

async function update(input: Input, context: ToolContext): Promise<ToolOutcome<Output>> {
  const { taskId } = input;
  const task = await context.tasks.get(taskId);
  if (!task) return { type: 'failed', message: `Task #${taskId} does not exist. TaskList shows all tasks.` };
  if (input.status === 'deleted') {
    await context.tasks.delete(taskId);
    return done(task, ['deleted'], 'deleted');
  }
  const links = await addBlocks(input, context.tasks);
  if (links.type === 'refused') return { type: 'failed', message: links.message };
  const changed = fieldsOf(input);
  if (input.status === 'completed' && task.status !== 'completed') {
    const { subject, description: details } = { ...task, ...changed };
    // before anything is written: a refusal leaves the task unchanged
    const refusal = await context.askTaskHooks('TaskCompleted', { id: taskId, subject, description: details });
    if (refusal !== null) return refused(task, refusal);
  }
  await links.write();
  await context.tasks.update(taskId, changed);
  return done(task, [...Object.keys(changed), ...links.fields], input.status);
}

/** Measured: a gate's refusal is a result, not an error of the call. */
function refused(task: Task, content: string): ToolOutcome<Output> {
  return { type: 'done', output: { success: false, taskId: task.id, updatedFields: [], error: content }, content };
}

function fieldsOf(input: Input): Partial<Omit<Task, 'id'>> {
  const { status, subject, description: details, activeForm, owner } = input;
  return {
    ...(status === undefined || status === 'deleted' ? {} : { status }),
    ...(subject === undefined ? {} : { subject }),
    ...(details === undefined ? {} : { description: details }),
    ...(activeForm === undefined ? {} : { activeForm }),
    ...(owner === undefined ? {} : { owner }),
  };
}

function done(task: Task, updatedFields: readonly string[], status: Input['status']): ToolOutcome<Output> {
  const statusChange = status && status !== task.status ? { statusChange: { from: task.status, to: status } } : {};
  const what = status === 'deleted' ? 'deleted' : `updated: ${updatedFields.join(', ') || 'nothing to change'}`;
  return {
    type: 'done',
    output: { success: true, taskId: task.id, updatedFields, ...statusChange },
    content: `Task #${task.id} ${what}`,
  };
}

type PreparedLinks =
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'ready'; readonly fields: readonly string[]; write(): Promise<void> };

/** Checks links between tasks; `write` then stores each in both tasks. */
async function addBlocks(links: Input, tasks: TaskList): Promise<PreparedLinks> {
  const { taskId, addBlocks: blocks = [], addBlockedBy: blockedBy = [] } = links;
  for (const id of [...blocks, ...blockedBy]) {
    if (id === taskId) return { type: 'refused', message: `Task #${taskId} cannot wait for itself.` };
    if (!(await tasks.get(id)))
      return { type: 'refused', message: `Task #${id} does not exist, so it cannot be linked.` };
  }
  const fields = [...(blocks.length > 0 ? ['blocks'] : []), ...(blockedBy.length > 0 ? ['blockedBy'] : [])];
  return {
    type: 'ready',
    fields,
    async write() {
      for (const id of blocks) await link(taskId, id, tasks);
      for (const id of blockedBy) await link(id, taskId, tasks);
    },
  };
}

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
