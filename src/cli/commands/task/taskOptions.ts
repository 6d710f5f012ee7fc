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

export type SetExitCode = (code: number) => void;

/** Runs the code of a command once it is loaded; an unreachable store is reported in one sentence. */
export async function runOnStore<Code>(
  loading: Promise<Code>,
  run: (code: Code, world: TaskWorld) => Promise<number>,
): Promise<number> {
  const [code, { runWorded }] = await Promise.all([loading, import('../../wiring/store/runWorded.ts')]);
  return runWorded((world) => run(code, world));
}

/** The same for commands that wait: Ctrl-C and SIGTERM end them cleanly. */
export async function runInterruptibly<Code>(
  loading: Promise<Code>,
  run: (code: Code, world: TaskWorld, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const [code, { runWaiting }] = await Promise.all([loading, import('../../wiring/store/runWorded.ts')]);
  return runWaiting((world, signal) => run(code, world, signal));
}
