import type { Command } from 'commander';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';

/** The options of every command with a store, and its help. */
export const withCommonOptions = (command: Command, help = ''): Command =>
  command
    .option('--json', 'machine-readable output; nothing is truncated')
    .option('--store <place>', 'a file or postgres://… (default: STOPGATE_STORE)')
    .addHelpText('after', help);

export const withWorkerOption = (command: Command): Command =>
  command.option('--worker <name>', 'the worker to act as (default: STOPGATE_WORKER, or this shell)');

/** Of an option that may be given several times, each as it is. */
export const gathered = (value: string, before: readonly string[] | boolean = []): readonly string[] => [
  ...(typeof before === 'boolean' ? [] : before),
  value,
];

/** For an option that may be repeated, with comma-separated values. */
export const splitList = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value.split(',').flatMap((one) => one.trim() || []),
];

/** The options of a command: those with a text, and those that are only given or not. */
export type Flags<Text extends string, Switch extends string = never> = {
  readonly [Name in Text]?: string;
} & { readonly [Name in Switch]?: boolean };

export type CommonOptions = Flags<'store', 'json'>;

export type SetExitCode = (code: number) => void;

/** Loads the body of a command, which takes the command's arguments, its options, and perhaps its world. */
type Load = () => Promise<(...given: never[]) => Promise<number>>;

type Action = (...given: unknown[]) => Promise<void>;

/** What commander gives to an action, as a body takes it. */
function callOf(given: readonly unknown[]): never[] {
  const command = given.at(-1) as Command;
  // commander assigns options that `-p` also has (--name, --agent) to the outer command
  return [...command.processedArgs, command.optsWithGlobals()] as never[];
}

export const bodyRunner =
  (setExitCode: SetExitCode, load: Load): Action =>
  async (...given) =>
    setExitCode(await (await load())(...callOf(given)));

/** For commands with a store; an unreachable one is reported in one sentence. */
export function commandRunner(setExitCode: SetExitCode) {
  const runner =
    (isInterruptible: boolean) =>
    (load: Load, more: Partial<TaskWorld> = {}): Action =>
    async (...given) => {
      const runners = import('../../wiring/store/runTaskCommand.ts');
      const [body, { runTaskCommand, runWaiting }] = await Promise.all([load(), runners]);
      const run = (world: TaskWorld, signal?: AbortSignal) =>
        body(...callOf(given), { ...world, ...more, signal } as never);
      setExitCode(await (isInterruptible ? runWaiting(run) : runTaskCommand(run)));
    };
  return {
    run: runner(false),
    /** For commands that wait: Ctrl-C and SIGTERM end them cleanly. */
    runInterruptibly: runner(true),
  };
}
