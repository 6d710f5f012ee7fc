import type { Command } from 'commander';
import { bodyRunner, type SetExitCode } from '../task/taskOptions.ts';

const EXAMPLES = `
Examples:
  $ stopgate baseline                              run the checks, and accept what fails now
  $ stopgate baseline --check tests --reason "legacy suite, see PAY-12" --expires 14d
  $ stopgate baseline --list                       what is accepted here, since when and why
  $ stopgate baseline --remove tests               every failure of this check blocks again

From then on these checks block only on new failures: compared by exit code and by the lines that a check prints, without times,
durations, temporary folders, places in files and counts; or by the names of failing tests, if the check has a "report" in
stopgate.config.json. A session ends as "accepted", not as "passed". Only people can accept: a process that was started by an agent
is refused. A check with severity "warn" is accepted only by name: it never blocks, and then advises only on new failures. The exit code is 1 when a check fails in a way that cannot be accepted.`;

export function addBaselineCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command('baseline')
    .description('accept the failures that checks have now, so that only new ones block')
    .option('--check <name>', 'only this check')
    .option('--reason <text>', 'why; it is shown wherever the failures are')
    .option('--expires <time>', 'until when: 12h, 14d, 2w, or a date such as 2027-01-31 (default: no end)')
    .option('--list', 'list what is accepted, without running anything')
    .option('--remove <name>', 'no longer accept failures of this check')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(bodyRunner(setExitCode, async () => (await import('./runBaseline.ts')).runBaseline));
}
