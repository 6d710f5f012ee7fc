import { MANUAL_KIND, type Worker } from '../../store/worker.ts';
import type { FleetAction } from '../decisions/fleetAction.ts';
import type { FleetFacts, FleetWorker } from '../decisions/fleetFacts.ts';
import { planWorker } from '../decisions/planWorker.ts';
import type { CoordinatorWorld } from './coordinatorWorld.ts';
import { type FleetMemory, memoryOf } from './fleetMemory.ts';
import { type FleetSettings, isSlotOf } from './fleetSettings.ts';
import type { StoreSnapshot } from './storeSnapshot.ts';

/** Whoever started it knows how it ended and is given the first word. */
const FIRST_WORD_MS = 10_000;
const HARMLESS: ReadonlySet<FleetAction['type']> = new Set(['markSuspect', 'release', 'endLaunch']);

export interface StrangerFacts {
  readonly settings: FleetSettings;
  readonly world: CoordinatorWorld;
  readonly memory: FleetMemory;
  readonly snapshot: StoreSnapshot;
}

/**
 * Workers that this fleet did not start: a person's shell, a single `worker run`, another fleet whose coordinator is gone.
 * What they held goes back when they are known to be dead, so that no task is stuck; but nothing of theirs is ever ended.
 */
export function planStrangers(facts: FleetFacts, gathering: StrangerFacts): readonly FleetAction[] {
  if (facts.leaderEpoch === null) return [];
  const { snapshot, settings } = gathering;
  const strangers = snapshot.workers.filter(({ id, state }) => {
    return !isSlotOf(settings.name, id) && state !== 'stopped' && state !== 'lost';
  });
  return strangers
    .flatMap((worker) => seenStranger(gathering, worker) ?? [])
    .flatMap((seen) => planWorker({ ...facts, shutdown: null }, seen))
    .filter(({ type }) => HARMLESS.has(type));
}

function seenStranger({ settings, world, memory, snapshot }: StrangerFacts, worker: Worker): FleetWorker | undefined {
  const isHere = worker.host === settings.host;
  // a person elsewhere is silent for as long as the work takes
  if (!isHere) return worker.kind === MANUAL_KIND ? undefined : { worker, process: 'unknown' };
  const process = world.processes.strangerSight(worker);
  const known = memoryOf(memory, worker.id, worker.incarnation);
  known.overSince = process === 'gone' ? (known.overSince ?? snapshot.now) : undefined;
  if (known.overSince !== undefined && snapshot.now - known.overSince < FIRST_WORD_MS) return undefined;
  // while its process runs, silence would only make it suspect, and nothing could follow from that
  return { worker: { ...worker, beatsFrom: 'hooks' }, process };
}
