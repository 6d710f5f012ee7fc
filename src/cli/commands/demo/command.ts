import type { Command } from 'commander';

export interface DemoOptions {
  readonly keep?: boolean;
  readonly fast?: boolean;
}

export function addDemoCommand(program: Command, setExitCode: (code: number) => void): void {
  program
    .command('demo')
    .description('play a session in a temporary repository: real tools, a real failing test, a scripted model')
    .option('--keep', 'keep the temporary repository')
    .option('--fast', 'skip the pauses')
    .action(async (options: DemoOptions) => {
      const { runDemo } = await import('./runDemo.ts');
      setExitCode(await runDemo(options));
    });
}
