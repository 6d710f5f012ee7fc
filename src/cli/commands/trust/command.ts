import type { Command } from 'commander';
import type { TrustOptions } from './runTrust.ts';

const EXAMPLES = `
Examples:
  $ stopgate trust                                 see what it would switch on, then decide
  $ stopgate trust ../other --yes                  without the question
  $ stopgate trust --list
  $ stopgate trust --remove

A repository is hostile until trusted: before that its own hooks, allow rules, variables and MCP
servers do not count.
For one run only: stopgate -p "…" --trust-project, or STOPGATE_TRUST_PROJECT=1.`;

export function addTrustCommand(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('trust')
    .description("let a folder's own hooks and settings count, after showing each of them")
    .argument('[folder]', 'the current one unless named')
    .option('-y, --yes', 'do not ask')
    .option('--list', 'show the folders that are trusted, and since when')
    .option('--remove', 'stop trusting the folder')
    .option('--json', 'for scripts')
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string | undefined, options: TrustOptions) => {
      const { runTrust } = await import('./runTrust.ts');
      setExitCode(await runTrust(folder, options));
    });
}
