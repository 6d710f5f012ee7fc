import * as z from 'zod';
import { isReadOnlyCommand } from '../../permissions/shell/readOnlyCommand.ts';
import { defineTool, type ToolOutcome, type ToolProgress } from '../tool.ts';
import type { ToolContext } from '../toolContext.ts';
import { type BashResult, bashOutcome, bashText, movedOutcome } from './bashOutcome.ts';
import { commandEnvironment } from './commandEnvironment.ts';
import { runInDirectory } from './runInDirectory.ts';
import { sandboxFor } from './sandbox.ts';
import { findShell } from './shellScript.ts';
import { shellTask } from './shellTask.ts';
import { startDirectory } from './startDirectory.ts';

const inputSchema = z.strictObject({
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
});

type Input = z.output<typeof inputSchema>;

const description = `Runs a command in bash and returns its output.

- \`cd\` stays in effect for later calls; variables and functions do not.
- There is no terminal, and stdin is empty: a command that reads input fails or ends.
- Long output is cut in the middle.
- Start servers and watchers with run_in_background, not with \`&\`, which loses their output.
- To find files use Glob, to search in them Grep, to read or change them Read, Edit and Write.
- Quote paths that contain spaces.`;

async function startInBackground(input: Input, context: ToolContext): Promise<ToolOutcome<BashResult>> {
  const { command } = input;
  const directory = await startDirectory(context.directory);
  const sandbox = sandboxFor(command, context.sandbox);
  const given = { ...context, env: sandbox?.env ?? context.env };
  const environment = await commandEnvironment(command, directory.path, given);
  if (environment.type === 'refused') return { type: 'failed', message: environment.reason };
  const request = { command, cwd: directory.path, env: environment.env, envFile: context.envFile, sandbox };
  const shell = context.shells.start(input.description ? { ...request, description: input.description } : request);
  shellTask(shell, context);
  const notes = [directory.note, findShell(context.env).note].filter((note) => note !== undefined);
  const sentence = `The command runs in the background as ${shell.id}. BashOutput reads its output, KillShell stops it. You will be notified when it ends.`;
  const output = { stdout: '', stderr: '', interrupted: false, isImage: false, noOutputExpected: false } as const;
  return {
    type: 'done',
    output: { ...output, backgroundTaskId: shell.id },
    content: [sentence, ...notes].join('\n'),
  };
}

async function* call(input: Input, context: ToolContext): AsyncGenerator<ToolProgress, ToolOutcome<BashResult>> {
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
    return parsed.success ? bashText(parsed.data) : undefined;
  },
  call,
});
