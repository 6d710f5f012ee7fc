import * as z from 'zod';
import { isReadOnlyCommand } from '../../permissions/shell/readOnlyCommand.ts';
import { defineTool, type ToolOutcome, type ToolProgress } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { bashOutcome, bashText, movedOutcome, RESULT } from './bashOutcome.ts';
import { prepareCommand, runInDirectory } from './runInDirectory.ts';
import { shellTask } from './shellTask.ts';

const inputSchema = z.lazy(() =>
  z.strictObject({
    command: z.string().describe('The command to run.'),
    timeout: z
      .number()
      .positive()
      .optional()
      .describe('Milliseconds after which it moves to the background: 120000 by default, 600000 at most.'),
    description: z.string().optional().describe('What the command does, in five to ten words.'),
    run_in_background: z
      .boolean()
      .optional()
      .describe('True returns immediately with an id; read its output with BashOutput, stop it with KillShell.'),
  }),
);

type Input = z.output<typeof inputSchema>;

const description = `Runs a command in bash and returns its output.

- \`cd\` stays in effect for later calls; variables and functions do not.
- There is no terminal, and stdin is empty: a command that reads input fails or ends.
- Long output is cut in the middle.
- Start servers and watchers with run_in_background, not with \`&\`, which loses their output.
- To find files use Glob, to search in them Grep, to read or change them Read, Edit and Write.
- Quote paths that contain spaces.`;

async function startInBackground(input: Input, context: ToolContext): Promise<ToolOutcome> {
  const { command, description } = input;
  const { cwd, sandbox, environment, notes } = await prepareCommand(command, context);
  if (environment.type === 'refused') return { type: 'failed', message: environment.reason };
  const request = { command, description, cwd, env: environment.env, envFile: context.envFile, sandbox };
  const shell = context.shells.start(request);
  shellTask(shell, context);
  const sentence = `The command runs in the background as ${shell.id}. BashOutput reads its output, KillShell stops it. You will be notified when it ends.`;
  return {
    type: 'done',
    output: { ...RESULT, backgroundTaskId: shell.id },
    content: [sentence, ...notes].join('\n'),
  };
}

async function* call(input: Input, context: ToolContext): AsyncGenerator<ToolProgress, ToolOutcome> {
  if (input.run_in_background) return await startInBackground(input, context);
  const run = yield* runInDirectory(input, context);
  return run.type === 'moved' ? movedOutcome(run, context) : bashOutcome(run);
}

export const bashTool = defineTool({
  name: 'Bash',
  description,
  inputSchema,
  isReadOnly: (input) => !input.run_in_background && isReadOnlyCommand(input.command),
  permission: (input) => ({ type: 'command', command: input.command }),
  summary: (input) => input.command,
  renderOutput: (output) => {
    const parsed = z.object({ stdout: z.string(), stderr: z.string().default('') }).safeParse(output);
    return parsed.success ? bashText(parsed.data.stdout, parsed.data.stderr) : undefined;
  },
  call,
});
