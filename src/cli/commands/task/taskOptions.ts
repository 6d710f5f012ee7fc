import type { Command } from 'commander';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';

/** The flags of the commands that claim and settle, as data: most of them are the same. */
export interface TaskFlag {
  readonly name: string;
  /** The name of its value in the help; a flag without one is a switch. */
  readonly value?: string;
  readonly about: string;
  /** Repeatable, and each value may be a comma-separated list. */
  readonly many?: true;
}

const STORE: TaskFlag = { name: 'store', value: 'place', about: 'a file or postgres://… (default: STOPGATE_STORE)' };
const JSON_FLAG: TaskFlag = { name: 'json', about: 'machine-readable output; nothing is truncated' };
const WORKER: TaskFlag = {
  name: 'worker',
  value: 'name',
  about: 'the worker to act as (default: STOPGATE_WORKER, or this shell)',
};

export const COMMON_FLAGS: readonly TaskFlag[] = [JSON_FLAG, STORE];

const SETTLE: readonly TaskFlag[] = [
  { name: 'epoch', value: 'n', about: 'of your claim, as printed by `task claim`: proves that it is still yours' },
  { name: 'attempt', value: 'id', about: 'of your claim, instead of the epoch or in addition to it' },
  WORKER,
  ...COMMON_FLAGS,
];

export const CLAIM_FLAGS: readonly TaskFlag[] = [
  WORKER,
  { name: 'type', value: 'type', about: 'only tasks of this type (repeatable)', many: true },
  { name: 'queue', value: 'name', about: 'only from this queue' },
  { name: 'task', value: 'id', about: 'only this task' },
  { name: 'wait', value: 'time', about: 'wait up to this long for a task, such as 30s' },
  ...COMMON_FLAGS,
];

export const COMPLETE_FLAGS: readonly TaskFlag[] = [
  { name: 'result', value: 'text', about: 'what was done; @FILE reads a file, - reads stdin' },
  { name: 'next', about: 'also claim the next task for the same worker' },
  ...SETTLE,
];

export const FAIL_FLAGS: readonly TaskFlag[] = [
  { name: 'error', value: 'text', about: 'the reason; @FILE reads a file, - reads stdin' },
  { name: 'retry-after', value: 'time', about: "when to retry, instead of the task's own backoff" },
  { name: 'final', about: 'do not retry' },
  ...SETTLE,
];

export const RELEASE_FLAGS: readonly TaskFlag[] = [
  { name: 'note', value: 'text', about: 'notes for the next attempt; @FILE reads a file, - reads stdin' },
  { name: 'reason', value: 'why', about: 'rate_limited, drained, abandoned, continued, or any text' },
  { name: 'delay', value: 'time', about: 'keep it from being claimed for this long' },
  ...SETTLE,
];

export const splitList = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value.split(',').flatMap((one) => one.trim() || []),
];

export function withFlags(command: Command, flags: readonly TaskFlag[]): Command {
  for (const { name, value, about, many } of flags) {
    if (many) command.option(`--${name} <${value}>`, about, splitList);
    else command.option(`--${name}${value ? ` <${value}>` : ''}`, about);
  }
  return command;
}

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
