import type { Command } from 'commander';
import { bodyRunner, type SetExitCode } from '../task/taskOptions.ts';

const EXAMPLES = `
Examples:
  $ stopgate ask "which files did you change?"     the latest session of this folder
  $ stopgate ask --session 3f2c "why not use a cache?"
  $ stopgate ask --session 3f2c "what is left?" --json | jq -r .answer

The question is appended to the session's last model request, so the provider's prompt cache is used. The answer uses no
tools, fires no hooks, and leaves the conversation unchanged.`;

export function addAskCommand(program: Command, setExitCode: SetExitCode): void {
  program
    .command('ask')
    .description('ask a session a question without changing it')
    .argument('<question>', 'what to ask')
    .option('-s, --session <id>', 'an id or the beginning of one (default: the latest session of this folder)')
    .option('--json', 'machine-readable output: the answer with its tokens and cost')
    .addHelpText('after', EXAMPLES)
    .action(bodyRunner(setExitCode, async () => (await import('./runAsk.ts')).runAsk));
}
