import { availableParallelism, freemem, loadavg } from 'node:os';
import path from 'node:path';
import type { CoordinatorWorld } from '../../../fleet/coordinator/coordinatorWorld.ts';
import { isLeaderGone, leaderName, readLeaderName } from '../../../fleet/coordinator/leaderName.ts';
import { workerMark } from '../../../fleet/coordinator/workerProcesses.ts';
import { slotProcesses, slotStarter } from '../../../fleet/slots/slotProcesses.ts';
import { type Finishing, finishEnded } from '../../../launch/attempt/finishEnded.ts';
import { keepLost } from '../../../launch/attempt/taskFolders.ts';
import { deliverKept } from '../../../store/outbox/deliverKept.ts';
import { keepingStore } from '../../../store/outbox/keepingStore.ts';
import { openOutbox } from '../../../store/outbox/outbox.ts';
import { settlementWord } from '../../../store/outbox/settlement.ts';
import { boundLog } from '../../../system/boundedLog.ts';
import { systemClock, wallNow } from '../../../system/clock.ts';
import { definedOnly } from '../../../system/definedOnly.ts';
import { startDetached } from '../../../system/detachedProcess.ts';
import { MARKS } from '../../../system/marks.ts';
import { packageRoot } from '../../../system/packageRoot.ts';
import { thisProcess } from '../../../system/processLife.ts';
import { spawnProcesses } from '../../../system/spawnProcesses.ts';
import { isSameHost, thisHost } from '../../../system/thisHost.ts';
import type { Store, Unavailable } from '../../wiring/store/openedStore.ts';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';
import { LOG_BYTES, workerLog } from './fleetFolder.ts';

interface ThisHost extends Pick<TaskWorld, 'env' | 'cwd' | 'stopgateHome'> {
  readonly store: Store;
  /** In the form of `--store`; never printed, because it may contain a password. */
  readonly storePlace: string;
  /** Safe to print. */
  readonly storeLocation: string;
  readonly fleet: string;
  readonly workerArgs: readonly string[];
  /** The most workers of one process. */
  readonly slots: number;
  readonly ignoresLoad: boolean;
  readonly emit: CoordinatorWorld['emit'];
  readonly noteTime: (storeNow: number) => void;
  readonly noteShortage?: CoordinatorWorld['noteShortage'] | undefined;
}

/** A coordinator's world on this host: real processes, one log per worker. */
export function coordinatorWorld(here: ThisHost): CoordinatorWorld {
  const { store, env, cwd, stopgateHome, storeLocation } = here;
  const host = thisHost();
  const inherited = definedOnly(env);
  const processes = spawnProcesses({ env: inherited });
  return {
    store,
    clock: systemClock,
    random: Math.random,
    processes: slotProcesses({ clock: systemClock, stopgateHome, storeLocation }),
    startWorker: here.slots === 1 ? startsAlone(here) : startsTogether(here),
    hostFacts: () =>
      here.ignoresLoad ? {} : { freeMemoryBytes: freemem(), loadPerCore: (loadavg()[0] ?? 0) / availableParallelism() },
    holder: leaderName({ ...thisProcess(), host }),
    isHolderGone: (holder) => isLeaderGone(holder, host),
    isHolderHere: (holder) => isSameHost(readLeaderName(holder)?.host ?? null, host),
    keepLost: (worker) => keepLost(store, worker, { processes, env: inherited, cwd, stopgateHome }),
    deliverKept: async () => {
      const delivered = await deliverHere(here);
      await finishHere(here, { processes, env: inherited, stopgateHome, clock: systemClock });
      return delivered;
    },
    emit: here.emit,
    noteTime: here.noteTime,
    noteShortage: (shortage) => here.noteShortage?.(shortage),
  };
}

/** A process for each worker. */
function startsAlone(here: ThisHost): CoordinatorWorld['startWorker'] {
  return (slot, incarnation) => {
    const mark = workerMark(here.storeLocation, { id: slot, incarnation });
    return startRun(here, { args: ['--slot', slot, '--incarnation', String(incarnation)], mark, log: slot });
  };
}

/** Processes with many workers; each worker has a log of its own. */
function startsTogether(here: ThisHost): CoordinatorWorld['startWorker'] {
  const { stopgateHome, storeLocation, slots, fleet } = here;
  const args = ['--slots', String(slots), '--coordinated'];
  // that of an outer fleet would be inherited
  const mark = `slots@${storeLocation}`;
  const startProcess = () => startRun(here, { args, mark, log: `${fleet}-slots` });
  return slotStarter({ clock: systemClock, stopgateHome, storeLocation, most: slots, startProcess });
}

function startRun(
  { env, cwd, stopgateHome, storePlace, workerArgs }: ThisHost,
  { args, mark, log }: { readonly args: readonly string[]; readonly mark: string; readonly log: string },
) {
  const logFile = workerLog(stopgateHome, log);
  boundLog(logFile, LOG_BYTES);
  return startDetached({
    file: process.execPath,
    args: [path.join(packageRoot(), 'bin', 'stopgate.js'), 'worker', 'run', ...args, ...workerArgs],
    cwd,
    // the store not as an argument, which every user of this host could read
    env: { ...definedOnly(env), STOPGATE_STORE: storePlace, [MARKS.worker]: mark },
    logFile,
  });
}

async function deliverHere({
  store,
  stopgateHome,
  storeLocation,
  emit,
}: ThisHost): Promise<number | Unavailable | null> {
  const deliveries = await deliverKept(store, openOutbox(stopgateHome), storeLocation);
  for (const delivery of deliveries) {
    if (delivery.type === 'waiting') return delivery.unavailable;
    const { settlement } = delivery;
    const { taskId, workerId: worker } = settlement.request.lease;
    const refused = delivery.type === 'refused' ? delivery.why : null;
    emit({
      type: 'delivered',
      worker,
      taskId,
      settled: settlementWord(settlement),
      keptAt: settlement.keptAt,
      refused,
    });
  }
  return deliveries.length === 0 ? null : deliveries.length;
}

/** What agents had finished whose workers were killed before they could settle it. */
async function finishHere({ store, storeLocation: location, emit }: ThisHost, world: Finishing['world']) {
  const outbox = openOutbox(world.stopgateHome);
  const kept = keepingStore(store, { outbox, location, now: () => wallNow(systemClock) });
  await finishEnded({ store: kept, location, world, report: (note) => emit({ type: 'finishing', note }) });
}
