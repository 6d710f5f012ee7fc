import type { Command } from 'commander';
import { DEFAULT_FLAGS, type PromptFlags } from '../../wiring/promptFlags.ts';
import type { EventOptions } from './eventInput.ts';
import type { ListOptions } from './list/runList.ts';

const EXAMPLES = `
Examples:
  $ stopgate hooks list                            every hook, its file, and whether it runs
  $ stopgate hooks explain PreToolUse              the input of each hook, or why it would not run
  $ stopgate hooks test Stop --input stop.json     run them now and show the verdict`;

const LIST_EXAMPLES = `
Examples:
  $ stopgate hooks list
  $ stopgate hooks list --event Stop
  $ stopgate hooks list --all                      all 33 events, including those without hooks
  $ stopgate hooks list --strict                   for CI: exit 1 if a hook is broken or would not run
  $ stopgate hooks list --json | jq '.hooks[] | select(.state != "runs")'`;

const EXPLAIN_EXAMPLES = `
Examples:
  $ stopgate hooks explain Stop                    with an example input
  $ stopgate hooks explain PreToolUse --input call.json
  $ echo '{"tool_name":"Edit"}' | stopgate hooks explain PreToolUse --input -

Missing fields are filled in from the example; the output names them.`;

const TEST_EXAMPLES = `
Examples:
  $ stopgate hooks test Stop
  $ stopgate hooks test PreToolUse --input call.json
  $ echo '{"prompt":"hello"}' | stopgate hooks test UserPromptSubmit --input -
  $ stopgate hooks test Stop --trust-project --json

Exit codes:
  0 every hook that ran gave a verdict               1 a hook failed, timed out or could not run
  130 interrupted (Ctrl-C), which ends the hooks     2 usage error`;

type SetExitCode = (code: number) => void;

export function addHooksCommand(program: Command, setExitCode: SetExitCode): void {
  const hooks = program
    .command('hooks')
    .description('list, explain and test the hooks in the settings files')
    .addHelpText('after', EXAMPLES);
  addList(hooks, setExitCode);
  addExplain(hooks, setExitCode);
  addTest(hooks, setExitCode);
}

function addList(hooks: Command, setExitCode: SetExitCode): void {
  const list = hooks
    .command('list')
    .description('list every configured hook: its event, its file, and whether it runs')
    .option('--event <name>', 'only the hooks of this event')
    .option('--all', 'include events without hooks')
    .option('--strict', 'exit 1 if a hook is broken or does not run')
    .option('--json', 'print complete data as JSON');
  addSettingsOptions(list)
    .addHelpText('after', LIST_EXAMPLES)
    .action(async (options: ListOptions, command: Command) => {
      const { runList } = await import('./list/runList.ts');
      setExitCode(await runList(options, settingsFlags(command)));
    });
}

function addExplain(hooks: Command, setExitCode: SetExitCode): void {
  const explain = hooks
    .command('explain')
    .description('show for one event which hooks would run or why not, and their input; runs nothing')
    .argument('<event>', 'such as Stop or PreToolUse')
    .option('--input <file>', 'the event as JSON, - for stdin (default: an example)')
    .option('--json', 'print JSON');
  addSettingsOptions(explain)
    .addHelpText('after', EXPLAIN_EXAMPLES)
    .action(async (event: string, options: EventOptions, command: Command) => {
      const { runExplain } = await import('./runExplain.ts');
      setExitCode(await runExplain(event, options, settingsFlags(command)));
    });
}

function addTest(hooks: Command, setExitCode: SetExitCode): void {
  const test = hooks
    .command('test')
    .description('run the hooks of one event now; shows exit codes, output, durations and the verdict')
    .argument('<event>', 'such as Stop or PreToolUse')
    .option('--input <file>', 'the event as JSON, - for stdin (default: an example)')
    .option('--model <model>', 'the model for prompt and agent hooks')
    .option('--json', 'print JSON');
  addSettingsOptions(test)
    .addHelpText('after', TEST_EXAMPLES)
    .action(async (event: string, options: EventOptions, command: Command) => {
      const { runTest } = await import('./test/runTest.ts');
      setExitCode(await runTest(event, options, settingsFlags(command)));
    });
}

/** The settings flags of a session, so that the output matches what a session would do. */
function addSettingsOptions(command: Command): Command {
  return command
    .option('--settings <file-or-json>', 'additional settings; only managed ones take precedence')
    .option('--setting-sources <list>', 'which files to read: user,project,local')
    .option('--trust-project', "trust the project's own hooks for this run");
}

/** The program itself has these options too and takes them from any position, so both are read. */
function settingsFlags(command: Command): PromptFlags {
  return { ...DEFAULT_FLAGS, ...command.optsWithGlobals<Partial<PromptFlags>>() };
}
