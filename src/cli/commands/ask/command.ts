import type { Command } from 'commander';
import type { AskOptions } from './runAsk.ts';

const EXAMPLES = `
Examples:
  $ stopgate ask "which files did you change?"     the latest session of this folder
  $ stopgate ask --session 3f2c "why not use a cache?"
  $ stopgate ask --session 3f2c "what is left?" --json | jq -r .answer

The answer comes from what the session last sent to its model, so the provider's prompt cache is used. It has no tools,
fires no hooks, and the conversation does not change.`;

export function addAskCommand(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('ask')
    .description('ask a session something without changing it')
    .argument('<question>', 'what to ask')
    .option('-s, --session <id>', 'whom to ask: an id or the beginning of one; the latest of this folder unless given')
    .option('--json', 'for scripts: the answer with its tokens and cost')
    .addHelpText('after', EXAMPLES)
    .action(async (question: string, options: AskOptions) => {
      const { runAsk } = await import('./runAsk.ts');
      setExitCode(await runAsk(question, options));
    });
}
