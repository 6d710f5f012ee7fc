import type { CoordinatorRecord } from '../../../schemas/coordinatorRecord.ts';
import { MANUAL_KIND } from '../../../store/worker.ts';
import { endsWithin } from '../../../system/clock.ts';
import { isSameProcess } from '../../../system/processLife.ts';
import { isSameHost, thisHost } from '../../../system/thisHost.ts';
import { available, type Worker } from '../../wiring/store/openedStore.ts';
import { openTaskStoreToRead } from '../../wiring/store/openTaskStore.ts';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';
import type { CommonOptions, Flags } from '../task/taskOptions.ts';
import { leaseHere } from '../worker/workerRequest.ts';
import { runningCoordinators } from './fleetFolder.ts';
import { drainTimeout, type FleetUpOptions, fleetRequest } from './fleetRequest.ts';
import { coordinatorHere, shutDownOnSignals } from './runFleetUp.ts';

type FleetDownOptions = CommonOptions & Flags<'name' | 'drainTimeout'>;

const POLL_MS = 200;
/** Longer than a coordinator takes to shut down after a second signal. */
const AFTER_HURRY_MS = 15_000;

/** `stopgate fleet down`: drains this host's fleets on this store, through their coordinators or directly. */
export async function runFleetDown(options: FleetDownOptions, world: TaskWorld): Promise<number> {
  const withinMs = drainTimeout(options);
  await using store = await openTaskStoreToRead(options.store, world);
  const about = available(await store.about({}));
  const { location, leaseMs } = about;
  // a fleet can be ended from any shell
  const lease = leaseHere(leaseMs === null ? world.env : {}, about);
  const isChosen = (fleet: string) => options.name === undefined || options.name === fleet;
  const coordinators = runningCoordinators(world.stopgateHome).filter((record) => {
    return record.store === location && isChosen(record.fleet);
  });
  const stayed = await endCoordinators(coordinators, withinMs, world);
  const { workers } = available(await store.workers({ running: true }));
  const fleets = fleetsOf(workers).filter(isChosen);
  if (coordinators.length === 0 && fleets.length === 0) {
    if (!options.json)
      world.print('Nothing to shut down: no coordinator and no fleet worker is running on this host.\n');
    return 0;
  }
  let left = stayed.length;
  for (const name of fleets) {
    // workers without a coordinator: drain them from here by the same rules
    const up = { ...NO_MORE, ...options, name };
    const coordinator = coordinatorHere(fleetRequest([], up), up, { world, store, location, lease });
    using _signals = shutDownOnSignals(coordinator, withinMs);
    coordinator.shutDown(withinMs);
    left += (await coordinator.run()).left.length;
  }
  if (!options.json && left === 0) world.print('The fleet is down.\n');
  return left === 0 ? 0 : 1;
}

const NO_MORE: FleetUpOptions = { workers: '1', min: '0', agent: 'claude', type: 'default' };

function fleetsOf(workers: readonly Worker[]): readonly string[] {
  const here = workers.filter(({ host, kind }) => isSameHost(host, thisHost()) && kind !== MANUAL_KIND);
  return [...new Set(here.flatMap(({ id }) => /^(.+)-w\d+$/.exec(id)?.[1] ?? []))];
}

/** Signals the coordinators, and again when the window is over. Returns those that still run. */
async function endCoordinators(
  records: readonly CoordinatorRecord[],
  withinMs: number,
  world: TaskWorld,
): Promise<readonly CoordinatorRecord[]> {
  const runs = ({ pid, pidStart }: CoordinatorRecord) => isSameProcess(pid, pidStart);
  const signalAll = () => {
    for (const record of records) if (runs(record)) process.kill(record.pid, 'SIGTERM');
  };
  const gone = (ms: number) => endsWithin(world.clock, ms, () => records.some(runs), POLL_MS);
  signalAll();
  if (await gone(withinMs)) return [];
  signalAll();
  await gone(AFTER_HURRY_MS);
  return records.filter(runs);
}
