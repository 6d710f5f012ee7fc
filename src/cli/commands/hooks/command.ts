import type { Command } from 'commander';
import { DEFAULT_FLAGS, type PromptFlags } from '../../wiring/promptFlags.ts';
import { bodyRunner, type SetExitCode } from '../task/taskOptions.ts';

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

export function addHooksCommand(program: Command, setExitCode: SetExitCode): void {
  const hooks = program
    .command('hooks')
    .description('list, explain and test the hooks in the settings files')
    .addHelpText('after', EXAMPLES);
  const run = (load: () => Promise<Body>) => bodyRunner(setExitCode, async () => withFlags(await load()));
  const list = hooks
    .command('list')
    .description('list every configured hook: its event, its file, and whether it runs')
    .option('--event <name>', 'only the hooks of this event')
    .option('--all', 'include events without hooks')
    .option('--strict', 'exit 1 if a hook is broken or does not run')
    .option('--json', 'print complete data as JSON');
  withSettingsOptions(list, LIST_EXAMPLES).action(run(async () => (await import('./list/runList.ts')).runList));
  const explain = hooks
    .command('explain')
    .description('show for one event which hooks would run or why not, and their input; runs nothing');
  withSettingsOptions(withEventOptions(explain).option('--json', 'print JSON'), EXPLAIN_EXAMPLES).action(
    run(async () => (await import('./runExplain.ts')).runExplain),
  );
  const test = hooks
    .command('test')
    .description('run the hooks of one event now; shows exit codes, output, durations and the verdict');
  withEventOptions(test)
    .option('--model <model>', 'the model for prompt and agent hooks')
    .option('--json', 'print JSON');
  withSettingsOptions(test, TEST_EXAMPLES).action(run(async () => (await import('./test/runTest.ts')).runTest));
}

type Body = (...given: never[]) => Promise<number>;

/** Bodies get their own options, and then the flags of a session: the program itself has these options, too. */
const withFlags =
  (body: Body): Body =>
  (...given) =>
    body(...given, { ...DEFAULT_FLAGS, ...(given.at(-1) as Partial<PromptFlags> | undefined) } as never);

const withEventOptions = (command: Command): Command =>
  command
    .argument('<event>', 'such as Stop or PreToolUse')
    .option('--input <file>', 'the event as JSON, - for stdin (default: an example)');

/** The settings flags of a session, so that the output matches what a session would do. */
const withSettingsOptions = (command: Command, help: string): Command =>
  command
    .option('--settings <file-or-json>', 'additional settings; only managed ones take precedence')
    .option('--setting-sources <list>', 'which files to read: user,project,local')
    .option('--trust-project', "trust the project's own hooks for this run")
    .addHelpText('after', help);
