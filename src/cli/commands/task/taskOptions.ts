import type { Command } from 'commander';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';

export const withCommonOptions = (command: Command): Command =>
  command
    .option('--json', 'machine-readable output; nothing is truncated')
    .option('--store <place>', 'a file or postgres://… (default: STOPGATE_STORE)');

export const withWorkerOption = (command: Command): Command =>
  command.option('--worker <name>', 'the worker to act as (default: STOPGATE_WORKER, or this shell)');

/** For an option that may be repeated, with comma-separated values. */
export const splitList = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value.split(',').flatMap((one) => one.trim() || []),
];

export interface CommonOptions {
  readonly json?: true;
  readonly store?: string;
}

export type SetExitCode = (code: number) => void;

export interface CommandRunner {
  /** Runs the code of a command once it is loaded; an unreachable store is reported in one sentence. */
  run<Code>(loading: Promise<Code>, body: (code: Code, world: TaskWorld) => Promise<number>): Promise<void>;
  /** The same for commands that wait: Ctrl-C and SIGTERM end them cleanly. */
  runInterruptibly<Code>(
    loading: Promise<Code>,
    body: (code: Code, world: TaskWorld, signal: AbortSignal) => Promise<number>,
  ): Promise<void>;
}

export function commandRunner(setExitCode: SetExitCode): CommandRunner {
  const runners = () => import('../../wiring/store/runTaskCommand.ts');
  return {
    run: async (loading, body) => {
      const [code, { runTaskCommand }] = await Promise.all([loading, runners()]);
      setExitCode(await runTaskCommand((world) => body(code, world)));
    },
    runInterruptibly: async (loading, body) => {
      const [code, { runWaiting }] = await Promise.all([loading, runners()]);
      setExitCode(await runWaiting((world, signal) => body(code, world, signal)));
    },
  };
}
