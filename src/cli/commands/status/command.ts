import type { Command } from 'commander';
import { bodyRunner, type SetExitCode } from '../task/taskOptions.ts';

const EXAMPLES = `
Examples:
  $ stopgate status                      results of the stop checks in this folder; what ran after turns, and its cost
  $ stopgate status --json | jq '.gate.sessions[] | {session, last: .stops[0].ending.reason}'
  $ stopgate status --all                all folders together
  $ stopgate status --json | jq '.tasks[] | {task, on, why, costUsd}'

Switches:
  STOPGATE_ENABLE_MEMORY=1               learn from headless sessions ("memory": true in settings does the same)
  STOPGATE_DISABLE_MEMORY=1              neither learn nor recall; disabling always wins
  STOPGATE_DISABLE_DREAM=1               never consolidate memory
  STOPGATE_ENABLE_PROMPT_SUGGESTION=0    no suggestions in a terminal session
  STOPGATE_DISABLE_JOB_MODEL=1           decide a job's state by rules alone
  --bare                                 turn all of it off for one run`;

export function addStatusCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command('status')
    .description('show stop checks by session, and background work: what ran and why, tokens, cost, memory')
    .option('--all', 'all folders, not only this one')
    .option('--json', 'machine-readable output; nothing is truncated')
    .addHelpText('after', EXAMPLES)
    .action(bodyRunner(setExitCode, async () => (await import('./runStatus.ts')).runStatus));
}
