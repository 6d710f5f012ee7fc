import { homedir } from 'node:os';
import { type Clock, systemClock } from '../../../system/clock.ts';
import { printNow } from '../../../system/printNow.ts';

/**
 * What the commands on tasks have around them. Less than `World`, on purpose: `task claim` runs in loops of shells and
 * agents, each time in a process of its own, and must not load what starts other processes.
 */
export interface TaskWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly homeDir: string;
  readonly stopgateHome: string;
  readonly clock: Clock;
  /** The process ends with the command, so that stores need not be put away. */
  readonly endsWithCommand?: true;
  say(text: string): void;
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
    say: (text) => printNow(1, text),
    warn: (sentence) => printNow(2, `stopgate: ${sentence}\n`),
  };
}
