import * as z from 'zod';
import { defineTool } from '../tool.ts';
import { taskCall } from './taskCall.ts';

const inputSchema = z.lazy(() =>
  z.strictObject({
    subject: z.string().min(1).describe('What to do, as a short command: "Fix the login test".'),
    description: z.string().describe('What it requires, in detail.'),
    activeForm: z.string().optional().describe('Shown while it is in progress: "Fixing the login test".'),
  }),
);

const description = `Adds a task to your task list.

Use it for work of three or more steps, and when the user asks for several things. Start a task with TaskUpdate
(in_progress) before you work on it, and complete it when it is really done.`;

export const taskCreateTool = defineTool({
  name: 'TaskCreate',
  description,
  inputSchema,
  isReadOnly: () => false,
  permission: () => ({ type: 'free' }),
  summary: (input) => input.subject,
  call: taskCall(async (input: z.output<typeof inputSchema>, { tasks, askTaskHooks }) => {
    const { subject, description: details, activeForm } = input;
    const facts = { subject, description: details };
    const task = await tasks.create(activeForm === undefined ? facts : { ...facts, activeForm });
    const refusal = await askTaskHooks('TaskCreated', { id: task.id, subject, description: details });
    if (refusal !== null) {
      await tasks.delete(task.id);
      return { type: 'failed', message: refusal };
    }
    return {
      type: 'done',
      output: { task: { id: task.id, subject } },
      content: `Task #${task.id} created: ${subject}`,
    };
  }),
});
