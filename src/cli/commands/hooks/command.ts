import type { Command } from 'commander';
import type { ExplainOptions } from './explain/runExplain.ts';
import type { ListOptions } from './list/runList.ts';
import { addSettingsOptions, settingsFlags } from './settingsFlags.ts';
import type { TestOptions } from './test/runTest.ts';

const EXAMPLES = `
Examples:
  $ stopgate hooks list                            every hook, where it is written, whether it runs
  $ stopgate hooks explain PreToolUse              what each hook would get, or why it would not run
  $ stopgate hooks test Stop --input stop.json     run them now and see what they come to`;

const LIST_EXAMPLES = `
Examples:
  $ stopgate hooks list
  $ stopgate hooks list --event Stop
  $ stopgate hooks list --all                      all 33 events, also those without hooks
  $ stopgate hooks list --strict                   for CI: exit 1 if a hook is broken or would not run
  $ stopgate hooks list --json | jq '.hooks[] | select(.state != "runs")'`;

const EXPLAIN_EXAMPLES = `
Examples:
  $ stopgate hooks explain Stop                    with an example of what a Stop hook is told
  $ stopgate hooks explain PreToolUse --input call.json
  $ echo '{"tool_name":"Edit"}' | stopgate hooks explain PreToolUse --input -

Fields that the input leaves out are filled in from the example, and named.`;

const TEST_EXAMPLES = `
Examples:
  $ stopgate hooks test Stop
  $ stopgate hooks test PreToolUse --input call.json
  $ echo '{"prompt":"hello"}' | stopgate hooks test UserPromptSubmit --input -
  $ stopgate hooks test Stop --trust-project --json

Exit codes:
  0 every hook that ran gave a verdict, whichever    1 a hook failed, timed out or could not be run
  130 interrupted (Ctrl-C), which ends the hooks     2 wrong use`;

type SetExitCode = (code: number) => void;

/** `stopgate hooks …`: what is configured, what it would do, what it says. */
export function addHooksCommand(program: Command, setExitCode: SetExitCode): void {
  const hooks = program
    .command('hooks')
    .description('show, explain and try the hooks that settings files configure')
    .addHelpText('after', EXAMPLES);
  addList(hooks, setExitCode);
  addExplain(hooks, setExitCode);
  addTest(hooks, setExitCode);
}

function addList(hooks: Command, setExitCode: SetExitCode): void {
  const list = hooks
    .command('list')
    .description('every configured hook: its event, where it is written, and whether it runs')
    .option('--event <name>', 'only the hooks of this event')
    .option('--all', 'events without hooks as well')
    .option('--strict', 'exit 1 if a hook is broken or does not run')
    .option('--json', 'for scripts; nothing is cut');
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
    .description('for one event: which hooks would run or why not, and what they would be told; runs nothing')
    .argument('<event>', 'such as Stop or PreToolUse')
    .option('--input <file>', 'what happened, as JSON; - reads it from stdin')
    .option('--json', 'for scripts');
  addSettingsOptions(explain)
    .addHelpText('after', EXPLAIN_EXAMPLES)
    .action(async (event: string, options: ExplainOptions, command: Command) => {
      const { runExplain } = await import('./explain/runExplain.ts');
      setExitCode(await runExplain(event, options, settingsFlags(command)));
    });
}

function addTest(hooks: Command, setExitCode: SetExitCode): void {
  const test = hooks
    .command('test')
    .description('run the hooks of one event now: exit code, output, duration, and what they come to together')
    .argument('<event>', 'such as Stop or PreToolUse')
    .option('--input <file>', 'what happened, as JSON; - reads it from stdin; an example unless given')
    .option('--model <model>', 'who judges prompt and agent hooks')
    .option('--json', 'for scripts');
  addSettingsOptions(test)
    .addHelpText('after', TEST_EXAMPLES)
    .action(async (event: string, options: TestOptions, command: Command) => {
      const { runTest } = await import('./test/runTest.ts');
      setExitCode(await runTest(event, options, settingsFlags(command)));
    });
}
