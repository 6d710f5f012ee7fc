import type { Command } from 'commander';
import { bodyRunner, type SetExitCode } from '../task/taskOptions.ts';

const EXAMPLES = `
Examples:
  $ stopgate hosts                                 the agents that Stopgate can be added to
  $ stopgate hosts codex                           one of them, with its limits
  $ stopgate hosts --json | jq '.[] | select(.wired | length > 0)'

Each ability is measured on the real program; docs/hosts.md has the versions and the date.`;

export function addHostsCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command('hosts')
    .description('list the agents that Stopgate can be added to, whether they are here, and what each can do')
    .argument('[names...]', 'only these')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(bodyRunner(setExitCode, async () => (await import('./runHosts.ts')).runHosts));
}
