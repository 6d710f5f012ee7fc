import { MANUAL_KIND, type Worker } from '../../store/worker.ts';
import { isSameHost } from '../../system/thisHost.ts';
import type { FleetAction } from '../decisions/fleetAction.ts';
import type { FleetWorker } from '../decisions/fleetFacts.ts';
import { isOver } from '../decisions/liveness.ts';
import { planWorker } from '../decisions/planWorker.ts';
import { isSlotOf } from './fleetSettings.ts';
import type { ActionContext } from './fleetTick.ts';

/** The process that started it knows how it ended and acts first. */
const OWNER_FIRST_MS = 10_000;
const HARMLESS: ReadonlySet<FleetAction['type']> = new Set(['markSuspect', 'release', 'endLaunch']);

/**
 * Workers that this fleet did not start: a person's shell, a single `worker run`, another fleet whose coordinator is gone. Their
 * tasks are reclaimed when they are known to be dead, so that no task is stuck; their processes are never ended.
 */
export function planStrangers(context: ActionContext): readonly FleetAction[] {
  const { snapshot, settings, facts } = context;
  if (facts.leaderEpoch === null) return [];
  return snapshot.workers
    .filter((worker) => !isSlotOf(settings.name, worker.id) && !isOver(worker))
    .flatMap((worker) => seenStranger(context, worker) ?? [])
    .flatMap((seen) => planWorker({ ...facts, shutdown: null }, seen))
    .filter(({ type }) => HARMLESS.has(type));
}

function seenStranger({ settings, world, memory, snapshot }: ActionContext, worker: Worker): FleetWorker | undefined {
  const isHere = isSameHost(worker.host, settings.host);
  // a person on another host is silent for as long as the work takes
  if (!isHere) return worker.kind === MANUAL_KIND ? undefined : { worker, process: 'unknown' };
  const process = world.processes.strangerSight(worker);
  const known = memory.of(worker.id, worker.incarnation);
  known.overSince = process === 'gone' ? (known.overSince ?? snapshot.now) : undefined;
  if (known.overSince !== undefined && snapshot.now - known.overSince < OWNER_FIRST_MS) return undefined;
  // while its process runs, silence would only make it suspect, without consequence
  return { worker: { ...worker, beatsFrom: 'hooks' }, process };
}
