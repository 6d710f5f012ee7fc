import type { Command } from 'commander';
import type { StatusOptions } from './runStatus.ts';

const EXAMPLES = `
Examples:
  $ stopgate status                      how checks answered the stops in this folder; what ran after turns, and what it cost
  $ stopgate status --json | jq '.gate.sessions[] | {session, last: .stops[0].ending.reason}'
  $ stopgate status --all                of all folders together
  $ stopgate status --json | jq '.tasks[] | {task, on, why, costUsd}'

Switches:
  STOPGATE_ENABLE_MEMORY=1               learn from headless sessions ("memory": true in settings does the same)
  STOPGATE_DISABLE_MEMORY=1              neither learn nor recall; an off always wins
  STOPGATE_DISABLE_DREAM=1               never consolidate memory
  STOPGATE_ENABLE_PROMPT_SUGGESTION=0    no suggestions in a terminal session
  STOPGATE_DISABLE_JOB_MODEL=1           tell a job's state by rules alone
  --bare                                 all of it off, for one run`;

export function addStatusCommand(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('status')
    .description('how the checks answered each session; what ran after turns, why or why not, tokens, cost, memory')
    .option('--all', 'of all folders, not only this one')
    .option('--json', 'for scripts; nothing is cut')
    .addHelpText('after', EXAMPLES)
    .action(async (options: StatusOptions) => {
      const { runStatus } = await import('./runStatus.ts');
      setExitCode(await runStatus(options));
    });
}
