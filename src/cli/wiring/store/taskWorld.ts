import { homedir } from 'node:os';
import { systemClock } from '../../../system/clock.ts';
import { printNow } from '../../../system/printNow.ts';
import type { World } from '../../../system/world.ts';
import { TASK_EXIT } from './taskExit.ts';

/**
 * The surroundings of task commands. Less than `World`, because `task claim` runs in loops of shells and agents, each time in
 * a new process, and must not load the code that starts other processes.
 */
export interface TaskWorld extends Pick<World, 'cwd' | 'homeDir' | 'stopgateHome' | 'clock'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Who does it, for the record of changes. */
  readonly actor: string;
  /** The process ends with the command, so stores need not be closed. */
  readonly endsWithCommand?: true;
  print(text: string): void;
  warn(sentence: string): void;
}

/** Of a command that waits. */
export interface WaitingWorld extends TaskWorld {
  /** Aborted by Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
}

export function thisTaskWorld(): TaskWorld {
  const { env } = process;
  const homeDir = env.HOME || homedir();
  return {
    env,
    actor: env.USER || 'command line',
    cwd: process.cwd(),
    homeDir,
    stopgateHome: env.STOPGATE_HOME || `${homeDir}/.stopgate`,
    clock: systemClock,
    print: (text) => printNow(1, text),
    warn: (sentence) => printNow(2, `stopgate: ${sentence}\n`),
  };
}

interface Answer {
  readonly outcome: object;
  readonly sentence: string;
  /** A bad answer is a warning. */
  readonly isFine?: boolean;
}

/** Prints the outcome of a command for a program, or its sentence for a person; returns the exit code. */
export function printAnswer(
  world: TaskWorld,
  { json }: { readonly json?: boolean },
  { outcome, sentence, isFine = true }: Answer,
): number {
  if (json) world.print(`${JSON.stringify(outcome)}\n`);
  else if (isFine) world.print(`${sentence}\n`);
  else world.warn(sentence);
  return isFine ? TASK_EXIT.done : TASK_EXIT.refused;
}
