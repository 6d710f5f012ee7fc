import type { Command } from 'commander';
import { bodyRunner, type SetExitCode } from '../task/taskOptions.ts';

const EXAMPLES = `
Examples:
  $ stopgate why                  how the latest session of this folder ended, and what led to it
  $ stopgate why 3f2a             another session, by the start of its id
  $ stopgate why --json | jq '.entries[] | select(.type == "stop").ending.reason'

It tells what the ledger has (~/.stopgate/ledger): starts, stops with what blocked them, hooks, budgets, waivers, the end. No model
is asked.`;

export function addWhyCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command('why')
    .description('tell how a session ended and what led to it, from the ledger')
    .argument(
      '[session]',
      'the id of a session or a task, or its first characters (default: the latest of this folder)',
    )
    .option('--store <place>', 'where a task is: a file or postgres://… (default: STOPGATE_STORE)')
    .option('--json', 'machine-readable output; nothing is truncated')
    .addHelpText('after', EXAMPLES)
    .action(bodyRunner(setExitCode, async () => (await import('./runWhy.ts')).runWhy));
}
