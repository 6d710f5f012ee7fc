import * as z from 'zod';
import { defineTool, withoutProgress } from '../tool.ts';
import type { BackgroundShell } from './backgroundShells.ts';
import { boundShellOutput, shellLimits } from './shellLimits.ts';

const inputSchema = z.lazy(() =>
  z.strictObject({
    bash_id: z.string().describe('The id that Bash returned for the background command.'),
  }),
);

function describeStatus({ id, status, exitCode, reason }: BackgroundShell): string {
  const code = exitCode === undefined ? '' : ` with exit code ${exitCode}`;
  return `${id} is ${status}${code}.${reason ? ` ${reason}` : ''}`;
}

export const bashOutputTool = defineTool({
  name: 'BashOutput',
  description: 'Returns the new output of a background command, and its status.',
  inputSchema,
  isReadOnly: () => true,
  permission: () => ({ type: 'free' }),
  summary: (input) => input.bash_id,
  call: withoutProgress(async ({ bash_id }: z.output<typeof inputSchema>, { shells, env }) => {
    const shell = shells.get(bash_id);
    const unread = shells.readNew(bash_id);
    if (!shell || !unread) return { type: 'failed', message: unknownShell(bash_id, shells.list()) };
    const output = { ...unread, droppedBytes: unread.lostCharacters };
    const { stdout, stderr, note } = boundShellOutput(output, shellLimits(undefined, env).maxOutputCharacters);
    const { status, command, exitCode = null } = shell;
    return {
      type: 'done',
      output: { shellId: bash_id, command, status, exitCode, stdout, stderr },
      content: [describeStatus(shell), stdout, stderr, note].filter(Boolean).join('\n'),
    };
  }),
});

export function unknownShell(id: string, shells: readonly BackgroundShell[]): string {
  const known = shells.map((shell) => shell.id).join(', ');
  return `There is no background command ${id}. ${known ? `There are: ${known}.` : 'None was started.'}`;
}
