import type { Command } from 'commander';
import { bodyRunner, type SetExitCode } from '../task/taskOptions.ts';

const EXAMPLES = `
Examples:
  $ stopgate list
  $ STOPGATE_JOB_DIR=~/jobs stopgate list          include the jobs there, each with its state.json
  $ stopgate list --json | jq '.[] | select(.state == "needs_input")'

States:
  working · needs_input (it asked a question) · blocked (by something external) · done · failed

A session that is done and was checked shows how that ended instead: ✓ passed, = stalled, ^ capped, … ("outcome" in --json).`;

export function addListCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command('list')
    .description('list the sessions of this folder and the jobs of STOPGATE_JOB_DIR, with their state')
    .option('-n, --limit <n>', 'maximum number', '20')
    .option('--json', 'machine-readable output; nothing is truncated')
    .addHelpText('after', EXAMPLES)
    .action(bodyRunner(setExitCode, async () => (await import('./runList.ts')).runList));
}
