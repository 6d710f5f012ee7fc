import { type Command, InvalidArgumentError } from 'commander';
import type { ListOptions } from './runList.ts';

const EXAMPLES = `
Examples:
  $ stopgate list
  $ STOPGATE_JOB_DIR=~/jobs stopgate list          include the jobs there, each with its state.json
  $ stopgate list --json | jq '.[] | select(.state == "needs_input")'

States:
  working · needs_input (it asked a question) · blocked (by something external) · done · failed`;

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number above 0.');
}

export function addListCommand(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('list')
    .description('list the sessions of this folder and the jobs of STOPGATE_JOB_DIR, with their state')
    .option('-n, --limit <n>', 'maximum number', wholeNumber, 20)
    .option('--json', 'machine-readable output; nothing is truncated')
    .addHelpText('after', EXAMPLES)
    .action(async (options: ListOptions) => {
      const { runList } = await import('./runList.ts');
      setExitCode(await runList(options));
    });
}
