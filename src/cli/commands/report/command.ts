import type { Command } from 'commander';
import { bodyRunner, type SetExitCode } from '../task/taskOptions.ts';

const EXAMPLES = `
Examples:
  $ stopgate report                              the last 12 hours, in all folders
  $ stopgate report --since 30m --here           this folder only
  $ stopgate report --since 2w                   two weeks
  $ stopgate report --markdown > night.md
  $ stopgate report --json | jq '.waiting'

It is counted from the ledger (~/.stopgate/ledger) and the task store, not written by a model: what ran, how each session ended, what it
cost, and what waits for a person.

Exit codes:
  0 counted    2 usage error    69 the store cannot be reached; what the ledger has is printed all the same`;

export function addReportCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command('report')
    .description('what happened while you were away: sessions, endings, tasks, spend, and what waits for a person')
    .option('--since <duration>', 'how far back, such as 90m, 12h, 1d or 2w', '12h')
    .option('--here', 'this folder only')
    .option('--store <place>', 'a file or postgres://… (default: STOPGATE_STORE, or the usual file if there is one)')
    .option('--markdown', 'for a file or a message')
    .option('--json', 'machine-readable output; nothing is truncated')
    .addHelpText('after', EXAMPLES)
    .action(bodyRunner(setExitCode, async () => (await import('./runReport.ts')).runReport));
}
