import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { type Clock, systemClock } from '../system/clock.ts';
import { type Ids, systemIds } from '../system/ids.ts';
import type { ProcessRunner } from '../system/processes.ts';
import { spawnProcesses } from '../system/spawnProcesses.ts';

/** The process's surroundings, read once: where it runs, as whom, with what environment. */
export interface World {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly homeDir: string;
  /** Stopgate's own folder: transcripts, trust, caches. */
  readonly stopgateHome: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: ProcessRunner;
}

export function thisWorld(): World {
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const homeDir = env.HOME || homedir();
  return {
    env,
    cwd: realpathSync(process.cwd()),
    homeDir,
    stopgateHome: env.STOPGATE_HOME || path.join(homeDir, '.stopgate'),
    clock: systemClock,
    ids: systemIds,
    processes: spawnProcesses(),
  };
}
