import { availableParallelism, freemem, hostname, loadavg } from 'node:os';
import path from 'node:path';
import type { CoordinatorWorld } from '../../../fleet/coordinator/coordinatorWorld.ts';
import { isLeaderGone, leaderName, readLeaderName } from '../../../fleet/coordinator/leaderName.ts';
import { workerMark, workerProcesses } from '../../../fleet/coordinator/workerProcesses.ts';
import { keepLost } from '../../../launch/attempt/taskFolders.ts';
import { boundLog } from '../../../system/boundedLog.ts';
import { systemClock } from '../../../system/clock.ts';
import { definedOnly } from '../../../system/definedOnly.ts';
import { startDetached } from '../../../system/detachedProcess.ts';
import { MARKS } from '../../../system/marks.ts';
import { packageRoot } from '../../../system/packageRoot.ts';
import { thisProcess } from '../../../system/processLife.ts';
import { spawnProcesses } from '../../../system/spawnProcesses.ts';
import type { Store } from '../../wiring/store/openedStore.ts';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';
import { LOG_BYTES, workerLog } from './fleetFolder.ts';

interface ThisHost extends Pick<TaskWorld, 'env' | 'cwd' | 'stopgateHome'> {
  readonly store: Store;
  /** In the form of `--store`; never printed, because it may contain a password. */
  readonly storePlace: string;
  /** Safe to print. */
  readonly storeLocation: string;
  readonly workerArgs: readonly string[];
  readonly ignoresLoad: boolean;
  readonly emit: CoordinatorWorld['emit'];
}

/** A coordinator's world on this host: real processes, one log per worker. */
export function coordinatorWorld(here: ThisHost): CoordinatorWorld {
  const { store, env, cwd, stopgateHome, storeLocation } = here;
  const host = hostname();
  const inherited = definedOnly(env);
  return {
    store,
    clock: systemClock,
    random: Math.random,
    processes: workerProcesses(systemClock, storeLocation),
    startWorker: (slot, incarnation) => {
      const logFile = workerLog(stopgateHome, slot);
      boundLog(logFile, LOG_BYTES);
      const bin = path.join(packageRoot(), 'bin', 'stopgate.js');
      const who = ['--slot', slot, '--incarnation', String(incarnation)];
      return startDetached({
        file: process.execPath,
        args: [bin, 'worker', 'run', ...who, ...here.workerArgs],
        cwd,
        env: {
          ...inherited,
          // not as an argument, which every user of this host could read
          STOPGATE_STORE: here.storePlace,
          [MARKS.worker]: workerMark(storeLocation, { id: slot, incarnation }),
        },
        logFile,
      });
    },
    hostFacts: () =>
      here.ignoresLoad ? {} : { freeMemoryBytes: freemem(), loadPerCore: (loadavg()[0] ?? 0) / availableParallelism() },
    holder: leaderName({ ...thisProcess(), host }),
    isHolderGone: (holder) => isLeaderGone(holder, host),
    isHolderHere: (holder) => readLeaderName(holder)?.host === host,
    keepLost: (worker) =>
      keepLost(store, worker, { processes: spawnProcesses({ env: inherited }), env: inherited, cwd, stopgateHome }),
    emit: here.emit,
  };
}
