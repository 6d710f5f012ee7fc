import type { Command } from 'commander';
import { bodyRunner, type SetExitCode } from '../task/taskOptions.ts';

const EXAMPLES = `
Examples:
  $ stopgate waive 3f2a --check tests --reason "the payment sandbox is down today"
  $ stopgate waive 3f2a --check "protected files" --reason "the test was wrong; I reviewed the change"
  $ stopgate waive 3f2a                            show what was waived, and what fails

The session is named by its id or the start of it; "stopgate status" lists the sessions. A waived check still runs; its failure
no longer blocks this session, and the session ends as "waived", not as "passed". Only people can waive: a process
that was started by an agent is refused.`;

export function addWaiveCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command('waive')
    .description('accept that a check of one session fails, with a reason that is kept')
    .argument('<session>', 'the id of the session, or its first characters')
    .option('--check <name>', 'the check to waive, as its messages name it')
    .option('--reason <text>', 'why; it is shown wherever the session is')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(bodyRunner(setExitCode, async () => (await import('./runWaive.ts')).runWaive));
}
