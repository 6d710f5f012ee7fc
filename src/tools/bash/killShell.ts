import * as z from 'zod';
import { defineTool, withoutProgress } from '../tool.ts';
import { unknownShell } from './bashOutput.ts';

const inputSchema = z.lazy(() =>
  z.strictObject({
    shell_id: z.string().describe('The id that Bash returned for the background command.'),
  }),
);

export const killShellTool = defineTool({
  name: 'KillShell',
  description: 'Stops a background command and everything it started.',
  inputSchema,
  isReadOnly: () => false,
  permission: () => ({ type: 'free' }),
  summary: (input) => input.shell_id,
  call: withoutProgress(async ({ shell_id }: z.output<typeof inputSchema>, { shells }) => {
    const before = shells.get(shell_id);
    if (!before) return { type: 'failed', message: unknownShell(shell_id, shells.list()) };
    if (before.status !== 'running') {
      return { type: 'failed', message: `${shell_id} is not running: it is ${before.status}.` };
    }
    await shells.stop(shell_id);
    const message = `Stopped ${shell_id}: ${before.command}`;
    return { type: 'done', output: { message, shell_id }, content: message };
  }),
});
