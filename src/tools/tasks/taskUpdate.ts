import * as z from 'zod';
import type { Task } from '../../session/taskList.ts';
import { defineTool, type ToolOutcome } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { addBlocks } from './addBlocks.ts';
import { taskCall } from './taskCall.ts';

const inputSchema = z.strictObject({
  taskId: z.string().describe('The id of the task.'),
  status: z.enum(['pending', 'in_progress', 'completed', 'deleted']).optional().describe('Its new state.'),
  subject: z.string().min(1).optional().describe('A new short text.'),
  description: z.string().optional().describe('New details.'),
  activeForm: z.string().optional().describe('What is shown while it is worked on.'),
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

const description = `Changes a task: its state, texts, owner, or what it waits for.

Set in_progress when you start, completed only when the work is really done and checked, deleted when it is not
needed any more. If completing is refused, the text says what is still missing: the task stays open.`;

async function update(input: Input, context: ToolContext): Promise<ToolOutcome<Output>> {
  const { taskId } = input;
  const task = await context.tasks.get(taskId);
  if (!task) return { type: 'failed', message: `There is no task #${taskId}. TaskList shows those there are.` };
  if (input.status === 'deleted') {
    await context.tasks.delete(taskId);
    return done(task, ['deleted'], 'deleted');
  }
  const links = await addBlocks(input, context.tasks);
  if (links.type === 'refused') return { type: 'failed', message: links.message };
  const changed = fieldsOf(input);
  if (input.status === 'completed' && task.status !== 'completed') {
    const { subject, description: details } = { ...task, ...changed };
    // asked before anything is written: a refusal leaves the task as it was
    const refusal = await context.askTaskHooks('TaskCompleted', { id: taskId, subject, description: details });
    if (refusal !== null) return refused(task, refusal);
  }
  await links.write();
  await context.tasks.update(taskId, changed);
  return done(task, [...Object.keys(changed), ...links.fields], input.status);
}

/** Measured: a gate's refusal is an answer, not an error of the call. */
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

export const taskUpdateTool = defineTool({
  name: 'TaskUpdate',
  description,
  inputSchema,
  isReadOnly: () => false,
  permission: () => ({ type: 'free' }),
  summary: (input) => `#${input.taskId}${input.status ? ` ${input.status}` : ''}`,
  call: taskCall(update),
});
