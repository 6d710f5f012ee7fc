import type { Worker } from '../../store/types.ts';
import type { FleetFacts, FleetWorker } from '../decisions/fleetFacts.ts';
import { hostRoom } from '../decisions/hostRoom.ts';
import { accountPause } from './accountPause.ts';
import type { CoordinatorWorld } from './coordinatorWorld.ts';
import { type FleetMemory, memoryOf } from './fleetMemory.ts';
import { type FleetSettings, isSlotOf, slotNames } from './fleetSettings.ts';
import type { Leadership } from './leadership.ts';
import { outlivedTask } from './outlivedTask.ts';
import { runEnds } from './runEnds.ts';
import type { StoreSnapshot } from './storeSnapshot.ts';

export interface Gathering {
  readonly settings: FleetSettings;
  readonly world: CoordinatorWorld;
  readonly memory: FleetMemory;
  readonly snapshot: StoreSnapshot;
  readonly leadership: Leadership;
  readonly shutdown: FleetFacts['shutdown'];
}

/** The input of `planTick`; only this fleet's own workers are in it. */
export async function gatherFacts(gathering: Gathering): Promise<FleetFacts> {
  const { settings, world, memory, snapshot, leadership, shutdown } = gathering;
  const { host, most, least, limits, name } = settings;
  const own = snapshot.workers.filter(({ id }) => isSlotOf(name, id));
  const workers = await Promise.all(own.map((worker) => seenWorker(gathering, worker)));
  const ends = runEnds(
    snapshot.launches.filter(({ slot }) => isSlotOf(name, slot)),
    (slot, incarnation) => memoryOf(memory, slot, incarnation).madeProgress,
  );
  const running = workers.filter(({ worker }) => worker.state !== 'stopped' && worker.state !== 'lost').length;
  return {
    now: snapshot.now,
    host,
    awakeSince: memory.awakeSince ?? snapshot.now,
    leaderEpoch: leadership.type === 'leading' ? leadership.epoch : null,
    shutdown,
    isDispatching: true,
    workers,
    slots: slotNames(name, most).map((slot, index) => ({ slot, isKept: index < least, ends: ends.get(slot) ?? [] })),
    ready: snapshot.ready,
    most,
    room: hostRoom({ running, maxWorkers: most, ...world.hostFacts() }),
    account: accountPause(memory, settings.accountKey, snapshot),
    hostEnds: [...ends.values()].flat().toSorted((one, other) => other.endedAt - one.endedAt),
    limits,
  };
}

async function seenWorker({ settings, world, memory, snapshot }: Gathering, worker: Worker): Promise<FleetWorker> {
  const known = memoryOf(memory, worker.id, worker.incarnation);
  known.madeProgress = worker.lastSettledAt !== null;
  const isOver = worker.state === 'stopped' || worker.state === 'lost';
  // the pid of an ended worker without a start time may have been reused
  const canBeSeen = worker.host === settings.host && !(isOver && worker.pidStart === null);
  const process = canBeSeen && !known.isGone ? world.processes.sight(worker) : isOver ? 'gone' : 'unknown';
  // finding its leftovers means scanning every process, so do it once
  known.isGone = isOver && process === 'gone';
  known.overSince = isOver && process !== 'gone' ? (known.overSince ?? snapshot.now) : undefined;
  return {
    worker: { ...worker, activityFrom: settings.reportsActivity ? 'hooks' : 'nothing' },
    process,
    task: isOver ? undefined : await outlivedTask(world.store, worker, known),
    overSince: known.overSince,
    isEnding: known.isEnding,
    wouldNotDie: known.wouldNotDie,
    isDeferred: known.isDeferred,
  };
}
