import { homedir } from 'node:os';
import path from 'node:path';
import { type Clock, systemClock } from './clock.ts';
import { currentFolder } from './currentFolder.ts';
import { definedOnly } from './definedOnly.ts';
import { type Ids, systemIds } from './ids.ts';
import { packageRoot } from './packageRoot.ts';
import { type SpawningRunner, spawnProcesses } from './spawnProcesses.ts';
import { stopgateHome } from './stopgateHome.ts';

/** The process's surroundings, read once. */
export interface World {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly homeDir: string;
  /** Stopgate's own folder: transcripts, trust, caches. */
  readonly stopgateHome: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: SpawningRunner;
}

export function thisWorld(): World {
  const env = definedOnly(process.env);
  const homeDir = env.HOME || homedir();
  return {
    env,
    cwd: currentFolder(),
    homeDir,
    stopgateHome: stopgateHome(env),
    clock: systemClock,
    ids: systemIds,
    // a small process starts commands, because a fork of this one gets slower as it grows
    processes: spawnProcesses({
      env,
      helperScript: path.join(packageRoot(), 'profiles', 'spawn-helper.pl'),
      onFallback: (sentence) =>
        process.stderr.write(`stopgate: ${sentence} (STOPGATE_SPAWN_HELPER=0 starts without it on purpose.)\n`),
    }),
  };
}
