import type { Command } from 'commander';
import { bodyRunner, type SetExitCode } from '../task/taskOptions.ts';

const EXAMPLES = `
Examples:
  $ stopgate demo
  $ stopgate demo --fast --keep                    then look around in its repository`;

export function addDemoCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command('demo')
    .description('play a session in a temporary repository: real tools, a real failing test, a scripted model')
    .option('--keep', 'keep the temporary repository')
    .option('--fast', 'skip the pauses')
    .addHelpText('after', EXAMPLES)
    .action(bodyRunner(setExitCode, async () => (await import('./runDemo.ts')).runDemo));
}
