import { homedir } from 'node:os';
import { type Clock, systemClock } from '../../../system/clock.ts';
import { printNow } from '../../../system/printNow.ts';

/**
 * The surroundings of task commands. Less than `World`, because `task claim` runs in loops of shells and agents, each time in
 * a new process, and must not load the code that starts other processes.
 */
export interface TaskWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly homeDir: string;
  readonly stopgateHome: string;
  readonly clock: Clock;
  /** The process ends with the command, so stores need not be closed. */
  readonly endsWithCommand?: true;
  print(text: string): void;
  warn(sentence: string): void;
}

export function thisTaskWorld(): TaskWorld {
  const { env } = process;
  const homeDir = env.HOME || homedir();
  return {
    env,
    cwd: process.cwd(),
    homeDir,
    stopgateHome: env.STOPGATE_HOME || `${homeDir}/.stopgate`,
    clock: systemClock,
    print: (text) => printNow(1, text),
    warn: (sentence) => printNow(2, `stopgate: ${sentence}\n`),
  };
}
