import type { Command } from 'commander';
import { bodyRunner, type SetExitCode } from '../task/taskOptions.ts';

const EXAMPLES = `
Examples:
  $ stopgate trust                                 show what trust would enable, or what changed, then decide
  $ stopgate trust ../other --yes                  without the question
  $ stopgate trust --show-files                    with what is in the files that run
  $ stopgate trust --json                          the same as data; exit 1 if something is not approved
  $ stopgate trust --list
  $ stopgate trust --remove

A repository counts as hostile until it is trusted: its own hooks, allow rules, variables, MCP servers
and checks are ignored. What you approve is what runs: an entry, or a file that it runs, which changes later
(by an edit, a pull or another branch) is off until you approve the difference here. The last 8 approvals of
a folder are kept, so branches that you approved need no second one; --remove removes all of them.
For one run only, as it is: stopgate -p "…" --trust-project, or STOPGATE_TRUST_PROJECT=1.`;

export function addTrustCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command('trust')
    .description("enable a folder's own hooks and settings, after showing each of them")
    .argument('[folder]', 'the folder to trust (default: the current one)')
    .option('-y, --yes', 'do not ask')
    .option('--show-files', 'also print what is in the files that run')
    .option('--list', 'list the trusted folders, with the time of trust and whether they changed')
    .option('--remove', 'stop trusting the folder')
    .option('--json', 'print JSON; approves nothing without --yes')
    .addHelpText('after', EXAMPLES)
    .action(bodyRunner(setExitCode, async () => (await import('./runTrust.ts')).runTrust));
}
